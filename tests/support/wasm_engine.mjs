// Plays requests in the WebAssembly engine: node wasm_engine.mjs ENGINE.wasm < requests > answers,
// one JSON object per line. Every request that opens or replays a session gets a new engine.
import { readFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) {
  throw new Error("unexpected imports: " + JSON.stringify(imports));
}

let engine;
for (const request of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  if (["open", "replay"].includes(JSON.parse(request).request)) {
    engine = new WebAssembly.Instance(module, {}).exports;
  }
  const bytes = new TextEncoder().encode(request);
  const start = engine.alloc(bytes.length);
  new Uint8Array(engine.memory.buffer, start, bytes.length).set(bytes);
  const answer = engine.call();
  const text = new Uint8Array(engine.memory.buffer, answer, engine.len());
  console.log(new TextDecoder().decode(text));
}
