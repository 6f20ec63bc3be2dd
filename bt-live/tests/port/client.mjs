// A client of a port in another language, with that language's own WebSocket.
// node --experimental-websocket client.mjs TOKEN_FILE

import { readFileSync } from "node:fs";

const { url, token } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const socket = new WebSocket(url);
socket.binaryType = "arraybuffer";
const waiting = new Map();
let next = 0;
let onRecords = () => {};

function call(method, params = {}) {
  const id = ++next;
  socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** Reads what a port writes: maps, arrays, texts, numbers, booleans, nil. */
function unpack(buffer) {
  const view = new DataView(buffer);
  let at = 0;
  const take = (bytes) => (at += bytes) - bytes;
  const text = (bytes) => new TextDecoder().decode(new Uint8Array(buffer, take(bytes), bytes));
  const list = (count) => Array.from({ length: count }, value);
  const map = (count) => Object.fromEntries(list(count * 2).reduce((pairs, item, i) => {
    if (i % 2 === 0) pairs.push([item]);
    else pairs.at(-1).push(item);
    return pairs;
  }, []));
  function value() {
    const tag = view.getUint8(take(1));
    if (tag < 0x80) return tag;
    if (tag < 0x90) return map(tag & 0x0f);
    if (tag < 0xa0) return list(tag & 0x0f);
    if (tag < 0xc0) return text(tag & 0x1f);
    if (tag >= 0xe0) return tag - 0x100;
    switch (tag) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xca: return view.getFloat32(take(4));
      case 0xcb: return view.getFloat64(take(8));
      case 0xcc: return view.getUint8(take(1));
      case 0xcd: return view.getUint16(take(2));
      case 0xce: return view.getUint32(take(4));
      case 0xcf: return Number(view.getBigUint64(take(8)));
      case 0xd0: return view.getInt8(take(1));
      case 0xd1: return view.getInt16(take(2));
      case 0xd2: return view.getInt32(take(4));
      case 0xd3: return Number(view.getBigInt64(take(8)));
      case 0xd9: return text(view.getUint8(take(1)));
      case 0xda: return text(view.getUint16(take(2)));
      case 0xdb: return text(view.getUint32(take(4)));
      case 0xdc: return list(view.getUint16(take(2)));
      case 0xdd: return list(view.getUint32(take(4)));
      case 0xde: return map(view.getUint16(take(2)));
      case 0xdf: return map(view.getUint32(take(4)));
      default: throw new Error(`a tag that no port writes: ${tag}`);
    }
  }
  return value();
}

socket.onmessage = ({ data }) => {
  if (typeof data !== "string") {
    const [header, ...records] = unpack(data);
    onRecords(header, records);
    return;
  }
  const { id, result, error } = JSON.parse(data);
  const asked = waiting.get(id);
  if (asked === undefined) return;
  waiting.delete(id);
  if (error) asked.reject(new Error(`${error.code}: ${error.message}`));
  else asked.resolve(result);
};

await new Promise((resolve, reject) => {
  socket.onopen = resolve;
  socket.onerror = () => reject(new Error("no connection"));
});
const { game, version } = await call("hello", { token });
const { agents } = await call("agents.list");
const seen = [];
const barked = new Promise((resolve) => {
  onRecords = (header, records) => {
    seen.push(...records.map((record) => record.cmd));
    if (records.some((record) => record.cmd === "bb_set" && record.key === "loud")) resolve(header.agent);
  };
});
const agent = agents[0].id;
await call("agent.follow", { agent });
await call("agent.fire", { agent, event: "stick", params: { length: 2 } });
const who = await barked;
const refused = await call("agent.fly").catch((error) => error.message);
console.log(JSON.stringify({ game, version, first: seen[0], same: who === agent, refused: refused.slice(0, 20) }));
socket.close();
