import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { messageOf } from "../../errors.ts";
import { ApiError, badRequest } from "./api-error.ts";
import type { ProxyCollection } from "./proxy-collection.ts";

interface Answer {
  status: number;
  body?: unknown;
}

/** The HTTP API of Toxiproxy 2 on top of a collection of proxies. Requests are carried out one after the other. */
export function toxiproxyApi(proxies: ProxyCollection, { version }: { version: string }): Server {
  let last: Promise<unknown> = Promise.resolve();
  return createServer((request, response) => {
    const answered = last.then(() => answer(request, proxies, version));
    last = answered.catch(() => undefined);
    void answered.then(
      (result) => send(response, result),
      (error: unknown) => sendError(response, error),
    );
  });
}

async function answer(request: IncomingMessage, proxies: ProxyCollection, version: string): Promise<Answer> {
  // As Toxiproxy: a page in a browser must not drive it.
  if (request.headers["user-agent"]?.startsWith("Mozilla/")) throw new ApiError("User agent not allowed", 403);
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const [first, proxy, toxics, toxic] = pathname.split("/").slice(1).map(decodeURIComponent);
  const method = request.method === "PATCH" ? "POST" : request.method;
  const depth = pathname.split("/").length - 1;
  const route = `${method} ${first}${depth > 1 ? "/proxy" : ""}${depth > 2 ? `/${toxics}` : ""}${depth > 3 ? "/toxic" : ""}`;
  switch (route) {
    case "GET version":
      return { status: 200, body: { version } };
    case "POST reset":
      await proxies.reset();
      return { status: 204 };
    case "GET proxies":
      return { status: 200, body: Object.fromEntries(proxies.list().map((each) => [each.name, each])) };
    case "POST proxies":
      return { status: 201, body: await proxies.create(await jsonOf(request)) };
    case "POST populate":
      return { status: 201, body: { proxies: await proxies.populate(await jsonOf(request)) } };
    case "GET proxies/proxy":
      return { status: 200, body: proxies.show(proxy ?? "") };
    case "POST proxies/proxy":
      return { status: 200, body: await proxies.update(proxy ?? "", await jsonOf(request)) };
    case "DELETE proxies/proxy":
      await proxies.remove(proxy ?? "");
      return { status: 204 };
    case "GET proxies/proxy/toxics":
      return { status: 200, body: proxies.listToxics(proxy ?? "") };
    case "POST proxies/proxy/toxics":
      return { status: 200, body: await proxies.createToxic(proxy ?? "", await jsonOf(request)) };
    case "GET proxies/proxy/toxics/toxic":
      return { status: 200, body: proxies.showToxic(proxy ?? "", toxic ?? "") };
    case "POST proxies/proxy/toxics/toxic":
      return { status: 200, body: await proxies.updateToxic(proxy ?? "", toxic ?? "", await jsonOf(request)) };
    case "DELETE proxies/proxy/toxics/toxic":
      await proxies.removeToxic(proxy ?? "", toxic ?? "");
      return { status: 204 };
    default:
      throw new ApiError("404 page not found", 404);
  }
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw badRequest(`more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    throw badRequest(messageOf(error));
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.statusCode = status;
  if (body === undefined) response.end();
  else {
    response.setHeader("Content-Type", "application/json");
    response.end(`${JSON.stringify(body)}\n`);
  }
}

function sendError(response: ServerResponse, error: unknown): void {
  const status = error instanceof ApiError ? error.status : 500;
  send(response, { status, body: { error: messageOf(error), status } });
}

const mostBytes = 1024 * 1024;
