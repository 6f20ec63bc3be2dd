// The connection to the server: requests with answers, and what the server says unasked.

import { type Methods, VERSION } from "./protocol.ts";

export type Status = "connecting" | "open" | "stalled" | "lost" | "refused";

/** How long the page waits between two signs of life of the server, and for one, in milliseconds. */
const BEAT = 2000;
const SILENCE = 5000;

/** The server refused a request, and says why. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/** The connection broke before the answer came. */
export class Disconnected extends Error {}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

interface Message {
  id?: number | null;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
  method?: string;
  params?: unknown;
}

export interface Handlers {
  /** The connection is usable, for the first time or again. */
  opened: () => void;
  status: (status: Status, why: string) => void;
  event: (name: string, params: unknown) => void;
}

/** The least that is used of a WebSocket, so that tests can give another. */
export interface Socket {
  send: (text: string) => void;
  close: () => void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

const TOKEN = "bt-studio-token";

/** The token from the address, which then no longer shows it, or the one that this tab of the browser remembers. */
export function takeToken(location: Location, history: History, storage: Storage): string {
  const token = location.hash.slice(1);
  if (token) {
    storage.setItem(TOKEN, token);
    history.replaceState(null, "", location.pathname + location.search);
    return token;
  }
  return storage.getItem(TOKEN) ?? "";
}

/** The token of a link that the server printed, or of what was pasted of it. */
export function tokenOf(text: string): string {
  return text.trim().split("#").at(-1) ?? "";
}

export class Server {
  private socket: Socket | null = null;
  private next = 1;
  private waiting = new Map<number, Waiting>();
  private ready = false;
  private pause = 250;
  private refused = false;

  constructor(
    private readonly make: () => Socket,
    private token: string,
    private readonly handlers: Handlers,
  ) {}

  /** Another token is known: that of a server that was started anew. */
  admit(token: string): void {
    if (token === "" || (this.ready && token === this.token)) return;
    this.token = token;
    const isOver = this.refused;
    this.refused = false;
    this.pause = 250;
    // One that was refused is not tried again by itself.
    if (isOver) this.connect();
  }

  connect(): void {
    this.handlers.status("connecting", "");
    const socket = this.make();
    this.socket = socket;
    socket.onopen = () => void this.greet();
    socket.onmessage = (event) => this.read(event.data);
    socket.onclose = () => this.lose();
  }

  /** Sends a request; the promise is refused with a `Refusal` or `Disconnected`. */
  call<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
    if (!this.ready) {
      return Promise.reject(new Disconnected("there is no connection to bt-studio: is it still running?"));
    }
    return this.send(method, params) as Promise<Methods[M][1]>;
  }

  private send(method: string, params: unknown): Promise<unknown> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket?.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  private async greet(): Promise<void> {
    try {
      await this.send("hello", { token: this.token, protocol: VERSION });
    } catch (error) {
      if (error instanceof Refusal) {
        this.refused = true;
        this.handlers.status("refused", error.message);
        this.socket?.close();
      }
      return;
    }
    this.ready = true;
    this.pause = 250;
    this.handlers.status("open", "");
    this.handlers.opened();
    void this.listen(this.socket);
  }

  /** Says when the server does not answer although the connection is there: what is shown may not be so any more. */
  private async listen(socket: Socket | null): Promise<void> {
    while (this.ready && this.socket === socket) {
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        this.handlers.status("stalled", "");
      }, SILENCE);
      const isAnswered = await this.send("breakpoints.get", {}).then(
        () => true,
        (error) => error instanceof Refusal,
      );
      clearTimeout(late);
      if (!isAnswered) return;
      if (isLate) this.handlers.status("open", "");
      await new Promise((next) => setTimeout(next, BEAT));
    }
  }

  private read(data: unknown): void {
    const message = JSON.parse(String(data)) as Message;
    if (message.method !== undefined) {
      this.handlers.event(message.method, message.params);
      return;
    }
    const waiting = this.waiting.get(message.id ?? -1);
    if (!waiting) return;
    this.waiting.delete(message.id ?? -1);
    if (message.error) {
      const { code, message: text, data } = message.error;
      waiting.reject(new Refusal(code, text, data));
    } else {
      waiting.resolve(message.result);
    }
  }

  private lose(): void {
    this.ready = false;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of waiting) one.reject(new Disconnected("the connection to bt-studio is lost"));
    if (this.refused) return;
    this.handlers.status("lost", "");
    setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(this.pause * 2, 5000);
  }
}
