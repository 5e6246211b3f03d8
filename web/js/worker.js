// @ts-check
// The engine in a worker: one JSON request in, one JSON answer out, in order.
/** @type {any} */
let instance;
const encodeText = new TextEncoder(), decodeText = new TextDecoder();

/** @param {string} text */
function callEngine(text) {
  const bytes = encodeText.encode(text);
  const start = instance.alloc(bytes.length);
  new Uint8Array(instance.memory.buffer, start, bytes.length).set(bytes);
  const answer = instance.call();
  return decodeText.decode(new Uint8Array(instance.memory.buffer, answer, instance.len()));
}

onmessage = async ({ data }) => {
  try {
    if (data.module) {
      instance = (await WebAssembly.instantiate(data.module, {})).exports;
      postMessage({ id: data.id, answer: '{"ok":true}' });
    } else {
      postMessage({ id: data.id, answer: callEngine(data.request) });
    }
  } catch (error) {
    // A trap: the instance cannot be used again.
    postMessage({ id: data.id, trap: String(error) });
  }
};
