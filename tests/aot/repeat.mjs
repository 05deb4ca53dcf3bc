// node repeat.mjs MODULE.wasm TRANSCRIPT: repeats the calls of a transcript (transcripts.py) and compares every byte.
// MODULE has a memory of its own, or it is a side module, which is linked here as Pyodide links it.
// Prints the number of calls, or the first difference, and then ends with code 1.
import { readFileSync } from "node:fs";

const [, , file, transcript] = process.argv;
const module = new WebAssembly.Module(readFileSync(file));
const isSideModule = WebAssembly.Module.customSections(module, "dylink.0").length > 0;
const wasm = isSideModule ? linked(module) : new WebAssembly.Instance(module, {}).exports;
const source = readFileSync(transcript);
const view = new DataView(source.buffer, source.byteOffset, source.length);
let at = 0;
const next = () => (at += 8, view.getBigInt64(at - 8, true));
const whole = () => Number(next());

const calls = whole();
for (let call = 0; call < calls; call++) {
  const name = source.subarray(at, at + 32).toString("latin1").replace(/\0+$/, "");
  at += 32;
  const wanted = next(), count = whole();
  const words = [0n], arrays = [];
  for (let argument = 0; argument < count; argument++) {
    if (whole() === 0) {
      words.push(next());
      continue;
    }
    const dimensions = whole(), lengths = [];
    for (let nth = 0; nth < dimensions; nth++) lengths.push(next());
    const size = whole(), padded = size + (8 - (size % 8)) % 8;
    const place = wasm.tavolino_take(size + 64);
    arrays.push({ place, size, before: at, after: at + padded });
    words.push(BigInt(place), ...lengths);
    at += 2 * padded;
  }
  const list = wasm.tavolino_take(words.length * 8);
  for (const { place, size, before } of arrays) new Uint8Array(wasm.memory.buffer, place, size).set(source.subarray(before, before + size));
  new BigInt64Array(wasm.memory.buffer, list, words.length).set(words);
  const status = wasm[name](list);
  const result = new BigInt64Array(wasm.memory.buffer, list, 1)[0];
  if (status !== 0 || result !== wanted) fail(call, name, `status ${status}, result ${result} instead of ${wanted}`);
  arrays.forEach(({ place, size, after }, nth) => {
    const made = Buffer.from(wasm.memory.buffer, place, size), right = source.subarray(after, after + size);
    if (!made.equals(right)) fail(call, name, `array ${nth} differs at byte ${made.findIndex((byte, i) => byte !== right[i])}`);
    wasm.tavolino_release(place, size + 64);
  });
  wasm.tavolino_release(list, words.length * 8);
}
console.log(calls);

// A side module uses the memory, the stack and the C library of the program that loads it.
function linked(module) {
  const PAGE = 65536, STACK = 4 * PAGE, ROOM = 16 * PAGE;
  const memory = new WebAssembly.Memory({ initial: (STACK + ROOM) / PAGE });
  const released = new Map(), sizes = new Map();
  let end = STACK + ROOM;
  const take = (size) => {
    const length = Math.ceil(size / 64) * 64;
    const piece = released.get(length)?.pop();
    if (piece !== undefined) return piece;
    end += length;
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE));
    sizes.set(end - length, length);
    return end - length;
  };
  const release = (piece) => {
    const length = sizes.get(piece);
    if (!released.has(length)) released.set(length, []);
    released.get(length).push(piece);
  };
  const frexp = (real, place) => {
    let power = 0;
    if (real !== 0 && Number.isFinite(real)) {
      for (; Math.abs(real) >= 1; power++) real /= 2;
      for (; Math.abs(real) < 0.5; power--) real *= 2;
    }
    new DataView(memory.buffer).setInt32(place, power, true);
    return real;
  };
  const constant = (value) => new WebAssembly.Global({ value: "i32" }, value);
  const env = {
    memory, malloc: take, free: release, frexp,
    __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, STACK),
    __memory_base: constant(STACK), __table_base: constant(0),
  };
  const { exports } = new WebAssembly.Instance(module, { env });
  exports.__wasm_apply_data_relocs?.();
  return { ...exports, memory, tavolino_take: take, tavolino_release: release };
}

function fail(call, name, what) {
  console.log(`call ${call}, ${name}: ${what}`);
  process.exit(1);
}
