// Keeps the playground in the browser, so that it opens without a network. The build adds
// the list of its files, and a version of that, at the top.
/* global version, parts */
const name = `mcplumb-playground-${version}`;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(parts)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const isOld = (key) => key.startsWith("mcplumb-playground-") && key !== name;
  const clean = async () => Promise.all((await caches.keys()).filter(isOld).map((key) => caches.delete(key)));
  event.waitUntil(clean());
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(name).then(async (cache) => (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request)));
});
