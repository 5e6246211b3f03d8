// @ts-check
// Carriers of requests: the engine as WebAssembly in a worker, and `gridbug serve`. Both have the same
// face: `request` takes an object and answers with one.

/** @typedef {{request: (request: any) => Promise<any>, canStop: boolean, second: () => Promise<any>, end: () => void}} Carrier */

/** The engine ended unexpectedly; what it knew is in the journal. */
export class EngineTrap extends Error {}

/** The engine as WebAssembly in a worker of its own. */
export class WorkerEngine {
  #worker;
  #module;
  #workerUrl;
  #next = 1;
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();

  /** @param {WebAssembly.Module} module @param {string} workerUrl */
  constructor(module, workerUrl) {
    this.#module = module;
    this.#workerUrl = workerUrl;
    this.#worker = new Worker(workerUrl);
    this.#worker.onmessage = ({ data }) => this.#take(data);
    this.#worker.onerror = (event) => this.#fail(event.message || "the engine could not be started");
  }

  /** @param {WebAssembly.Module} module @param {string} workerUrl */
  static async start(module, workerUrl) {
    const engine = new WorkerEngine(module, workerUrl);
    await engine.#post({ module });
    return engine;
  }

  /** Another engine without a session, for long searches and after a trap. */
  second() {
    return WorkerEngine.start(this.#module, this.#workerUrl);
  }

  /** @param {any} request @returns {Promise<any>} */
  request(request) {
    return this.#post({ request: JSON.stringify({ now: Math.round(performance.now()), ...request }) });
  }

  /** Ends the worker, whatever it is doing. */
  end() {
    this.#worker.terminate();
    this.#fail("stopped");
  }

  /** @param {any} message @returns {Promise<any>} */
  #post(message) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...message });
    });
  }

  /** @param {any} data */
  #take(data) {
    const waiting = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if (data.trap !== undefined) waiting?.reject(new EngineTrap(data.trap));
    else waiting?.resolve(JSON.parse(data.answer));
  }

  /** @param {string} reason */
  #fail(reason) {
    for (const { reject } of this.#waiting.values()) reject(new EngineTrap(reason));
    this.#waiting.clear();
  }
}

/** The engine of `gridbug serve`, which made the key in the page's address. */
export class ServedEngine {
  #key;
  #session;

  /** @param {string} key @param {string} session */
  constructor(key, session) {
    this.#key = key;
    this.#session = session;
  }

  /** Another session of the same server. */
  async second() {
    return new ServedEngine(this.#key, newSessionId());
  }

  /** @param {any} request @returns {Promise<any>} */
  async request(request) {
    let response;
    try {
      response = await fetch("api", {
        method: "POST",
        headers: { "content-type": "application/json", "x-gridbug-key": this.#key, "x-gridbug-session": this.#session },
        body: JSON.stringify({ now: Math.round(performance.now()), ...request }),
      });
    } catch {
      throw new EngineTrap("`gridbug serve` does not answer");
    }
    if (!response.ok) throw new EngineTrap(response.status === 403 ? "the link's key is not valid any more; open the link that `gridbug serve` printed" : `\`gridbug serve\` answered ${response.status}`);
    return response.json();
  }

  end() {}
}

/** A random name for a session. */
export const newSessionId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Connects to the engine that this page came with.
 * @returns {Promise<WorkerEngine | ServedEngine>} */
export async function connect() {
  const key = /^#key=([0-9a-f]{32})/.exec(location.hash)?.[1];
  if (key || sessionStorageItem("gridbug:key")) return connectServed(key);
  const page = /** @type {any} */ (window);
  const bytes = page.gridbugWasm ? await page.gridbugWasm() : await (await fetch("gridbug.wasm")).arrayBuffer();
  return WorkerEngine.start(await WebAssembly.compile(bytes), page.gridbugWorker ?? "js/worker.js");
}

/** @param {string | undefined} key */
function connectServed(key) {
  const kept = sessionStorageItem("gridbug:session") ?? newSessionId();
  const used = key ?? sessionStorageItem("gridbug:key") ?? "";
  try {
    sessionStorage.setItem("gridbug:session", kept);
    sessionStorage.setItem("gridbug:key", used);
  } catch { /* Without storage, a reload starts a new session. */ }
  return new ServedEngine(used, kept);
}

/** @param {string} name */
function sessionStorageItem(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
