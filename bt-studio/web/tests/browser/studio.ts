// Starts the real server on a copy of trees and the page in a real browser.

import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

export const ROOT = resolve(import.meta.dirname, "../../../..");
const SERVER = process.env.BT_STUDIO ?? join(ROOT, "target/debug/bt-studio");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** What keeps a browser from doing anything but the test's work. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page that is taken from a folder has no address of its own: see `fromFolder`.
  ...(process.env.DIST ? ["--disable-features=LocalNetworkAccessChecks"] : []),
];

export interface Studio {
  page: Page;
  /** The folder that the server serves. */
  folder: string;
  url: string;
  /** The file that the agents come from. */
  catalogue: string;
  /** What the browser complained about. */
  complaints: string[];
  text: (path: string) => string;
  /** Ends the server as if its machine failed. */
  kill: () => Promise<void>;
  /** Starts it again on the same port; the link that it prints then. */
  restart: () => Promise<string>;
  close: () => Promise<void>;
}

export interface Options {
  trees?: string;
  /** Another file that the agents come from. */
  catalogue?: string;
  files?: (folder: string) => void;
  readOnly?: boolean;
  /** The port of the page; any that is free if it is omitted. */
  port?: string;
  width?: number;
  height?: number;
  dark?: boolean;
  language?: string;
  /** More of the server's environment. */
  env?: Record<string, string>;
  /** A package to take the agents from, instead of the exported file. */
  package?: string;
  /** More of the server's options. */
  flags?: string[];
  /** What is done with the page before it is loaded. */
  before?: (page: Page) => Promise<void>;
}

let browser: Browser | null = null;

export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = null;
}

export async function start(options: Options = {}): Promise<Studio> {
  if (!existsSync(CHROMIUM))
    throw new Error(`there is no browser at ${CHROMIUM}: install it, or say where in CHROMIUM`);
  if (!existsSync(SERVER)) throw new Error(`there is no server at ${SERVER}: \`cargo build -p bt-studio\``);
  const folder = mkdtempSync(join(tmpdir(), "bt-studio-"));
  const trees = join(folder, "trees");
  cpSync(options.trees ?? join(ROOT, "examples/monster/trees"), trees, { recursive: true });
  const catalogue = join(folder, "agents.json");
  cpSync(options.catalogue ?? join(ROOT, "examples/monster/editor/agents.json"), catalogue);
  options.files?.(trees);
  const agents = options.package ? ["--package", options.package] : ["--catalogue", catalogue];
  const flags = [trees, ...agents, "--no-open", "--port", options.port ?? "0"];
  if (options.readOnly) flags.push("--read-only");
  flags.push(...(options.flags ?? []));
  const launch = () =>
    spawn(SERVER, flags, {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: ROOT,
      env: { ...process.env, BT_STUDIO_STATE: join(folder, "state"), ...options.env },
    });
  let server = launch();
  const { url, said } = await address(server);
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, headless: true });
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark ? "dark" : "light",
    locale: options.language ?? "en",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => void dialog.accept());
  page.on("request", (request) => {
    const host = new URL(request.url()).hostname;
    if (host !== "127.0.0.1" && host !== "") complaints.push(`a request off the machine: ${request.url()}`);
  });
  page.setDefaultTimeout(20_000);
  if (process.env.DIST) await fromFolder(context, process.env.DIST);
  await options.before?.(page);
  await page.goto(url);
  await page.waitForSelector(".side .row, .tree-card, .start").catch((error: Error) => {
    throw new Error(`${error.message}\n${said()}\n${complaints.join("\n")}`);
  });
  return {
    page,
    folder: trees,
    catalogue,
    url,
    complaints,
    text: (path) => readFileSync(join(trees, path), "utf8"),
    kill: async () => {
      const ended = new Promise((done) => server.once("exit", done));
      server.kill("SIGKILL");
      await ended;
    },
    restart: async () => {
      flags[flags.indexOf("--port") + 1] = new URL(url).port;
      server = launch();
      return (await address(server)).url;
    },
    close: async () => {
      await context.close();
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const TYPES: Record<string, string> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

/** Takes the page from a folder, with the server's headers: so a changed page needs no new server. */
async function fromFolder(page: BrowserContext, dist: string): Promise<void> {
  await page.route(/^http:/, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const file = path === "/" ? "index.html" : path.slice(1);
    if (!existsSync(join(dist, file))) return route.fulfill({ status: 404 });
    const response = await route.fetch({ url: new URL("/", route.request().url()).href });
    await route.fulfill({
      response,
      status: 200,
      body: readFileSync(join(dist, file)),
      contentType: TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    });
  });
}

/** The address that the server prints. */
function address(server: ChildProcess): Promise<{ url: string; said: () => string }> {
  return new Promise((found, failed) => {
    let said = "";
    const hear = (part: Buffer) => {
      said += part.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+\/#\S+/.exec(said)?.[0];
      if (url) found({ url, said: () => said });
    };
    server.stdout?.on("data", hear);
    server.stderr?.on("data", hear);
    server.on("exit", (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
    server.on("error", failed);
  });
}

/** Opens a tree by its name, by the keyboard. */
export async function open(studio: Studio, path: string): Promise<void> {
  const { page } = studio;
  await page.keyboard.press("Control+o");
  await page.keyboard.type(path);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.tab[data-active=true] [data-tip="${path}"]`).catch(async (error: Error) => {
    await page.screenshot({ path: join(tmpdir(), "bt-studio-failed.png") });
    throw new Error(`${error.message}\n${studio.complaints.join("\n")}`);
  });
  await page.locator("canvas.canvas").focus();
}

/** Goes to a node by its number. */
export async function goTo({ page }: Studio, node: number): Promise<void> {
  await page.keyboard.press("Control+g");
  await page.locator("#goto-number:focus").waitFor();
  await page.keyboard.type(String(node));
  await page.keyboard.press("Enter");
  await page.locator(".node-head .number", { hasText: new RegExp(`^#${node}$`) }).waitFor();
  await page.locator("canvas.canvas").focus();
}

/** Puts a node below the selected one, or behind it if it takes no children, by keys; so many nodes are there then. */
export async function insert({ page }: Studio, name: string, nodes: number): Promise<void> {
  await page.locator("canvas.canvas:focus").waitFor();
  await page.keyboard.press("/");
  await page.locator(".picker").waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.locator(".status span", { hasText: new RegExp(`^${nodes} nodes$`) }).waitFor();
}

/** Makes the text beside the picture another one. */
export async function retype({ page }: Studio, text: string): Promise<void> {
  await page.evaluate((put) => navigator.clipboard.writeText(put), text);
  await page.locator(".raw .cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
}

/** Saves what is open, and waits until nothing is left to save. */
export async function save({ page }: Studio): Promise<void> {
  await page.waitForTimeout(120);
  await page.keyboard.press("Control+s");
  await page.locator(".tab[data-active=true] [aria-label='not saved']").waitFor({ state: "detached" });
  await page.waitForTimeout(60);
}

/** Presses keys as the table of commands spells them. */
export async function press(page: Page, keys: string): Promise<void> {
  await page.keyboard.press(keys.replace("Mod", "Control"));
}

/** A place on the page, in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The place of the card of the node that has the focus. */
export async function focusedBox({ page }: Studio): Promise<Box> {
  await page.waitForTimeout(300);
  const canvas = page.locator("canvas.canvas");
  const [x, y, width, height] = (await canvas.getAttribute("data-focus"))!.split(" ").map(Number);
  const frame = (await canvas.boundingBox())!;
  return { x: frame.x + x!, y: frame.y + y!, width: width!, height: height! };
}
