// Where the network is away, at the desk alone, the boards that this browser showed last stand in for
// the browser's error; for other pages one that says there is no network, as strangers get it.
"use strict";
const page = `/offline${new URL(location).search}`; // the language
const place = `offline ${location.href}`;
const patience = 8000; // milliseconds: a network that answers later is none
const longest = 12 * 3600 * 1000; // milliseconds: as a session that is not used

// What a page is drawn with.
function partsOf(text) {
  return [...new Set([...text.matchAll(/(?:href|src)="(\/static\/[^"]+|\/logo)"/g)].map(([, path]) => path))];
}

async function keep() {
  const answer = await fetch(page, { credentials: "omit", cache: "no-cache" });
  if (!answer.ok) throw new Error(answer.statusText);
  const kept = await caches.open(place);
  await kept.addAll(partsOf(await answer.clone().text()).map((path) => new Request(path, { credentials: "omit" })));
  await kept.put(page, answer);
}

// Keeps boards as a page shows them (desk_script.js); those of another tournament or account go.
async function keepBoards({ name, path, text, seen }) {
  for (const other of await caches.keys()) if (other.startsWith("boards ") && other !== name) await caches.delete(other);
  const kept = await caches.open(name);
  await kept.put(path, new Response(text, { headers: { date: seen } }));
  for (const part of partsOf(text)) if (!await kept.match(part)) await kept.add(new Request(part, { credentials: "omit" }));
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("offline ") && name !== place).map((name) => caches.delete(name)));
  await clients.claim();
}

// The boards at an address; undefined where none are kept.
async function boards(url) {
  for (const name of await caches.keys()) {
    if (!name.startsWith("boards ")) continue;
    const kept = await (await caches.open(name)).match(url, { ignoreSearch: true });
    if (kept && Date.now() - Date.parse(kept.headers.get("date")) < longest) return kept;
    if (kept) await caches.delete(name);
  }
  return undefined;
}

async function shown(request) {
  const kept = await boards(request.url);
  const answers = [fetch(request)];
  if (kept) answers.push(new Promise((_, reject) => setTimeout(reject, patience)));
  try {
    const answer = await Promise.race(answers);
    if (kept && answer.status >= 502 && answer.status <= 504) throw new Error("a proxy before a site that is away");
    return answer;
  } catch {
    const away = await caches.match(page, { ignoreVary: true });
    if (!kept || !away) return away ?? Response.error();
    const headers = new Headers(away.headers); // what a page of the site may do
    ["content-encoding", "content-length"].forEach((name) => headers.delete(name));
    return new Response(await kept.text(), { headers });
  }
}

async function drawn(request) {
  return await fetch(request).catch(() => caches.match(request.url, { ignoreVary: true })) ?? Response.error();
}

addEventListener("install", (event) => event.waitUntil(keep().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("message", (event) => event.waitUntil(keepBoards(event.data)));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(shown(request));
  else if (/^\/(static\/|logo$)/.test(new URL(request.url).pathname)) event.respondWith(drawn(request));
});
