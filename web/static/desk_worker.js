// Where the network is away, a page that says so stands in for the browser's error, at the desk alone.
// That page and what draws it are kept, as strangers get them; of the desk nothing is.
"use strict";
const page = `/offline${new URL(location).search}`; // the language
const place = `offline ${location.href}`;

async function keep() {
  const answer = await fetch(page, { credentials: "omit", cache: "no-cache" });
  if (!answer.ok) throw new Error(answer.statusText);
  const text = await answer.clone().text();
  const parts = [...text.matchAll(/(?:href|src)="(\/static\/[^"]+|\/logo)"/g)].map(([, path]) => path);
  const kept = await caches.open(place);
  await kept.addAll([...new Set(parts)].map((path) => new Request(path, { credentials: "omit" })));
  await kept.put(page, answer);
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("offline ") && name !== place).map((name) => caches.delete(name)));
  await clients.claim();
}

addEventListener("install", (event) => event.waitUntil(keep().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const isPage = request.mode === "navigate" && request.method === "GET";
  const isPart = /^\/(static\/|logo$)/.test(new URL(request.url).pathname);
  if (!isPage && !isPart) return;
  const kept = () => caches.match(isPage ? page : request.url, { ignoreVary: true });
  event.respondWith(fetch(request).catch(async () => await kept() ?? Response.error()));
});
