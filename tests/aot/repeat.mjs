// node repeat.mjs MODULE.wasm TRANSCRIPT: repeats the calls of a transcript (transcripts.py) and compares every byte.
// Prints the number of calls, or the first difference, and then ends with code 1.
import { readFileSync } from "node:fs";

const [, , file, transcript] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
const wasm = instance.exports;
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

function fail(call, name, what) {
  console.log(`call ${call}, ${name}: ${what}`);
  process.exit(1);
}
