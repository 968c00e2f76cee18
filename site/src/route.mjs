// What each page says about its version: where the newest version is, for people and for search
// engines.
import { defineRouteMiddleware } from "@astrojs/starlight/route-data";
import { addressOf, inNewest, newest, notNewest, origin, root } from "../version.mjs";

export const onRequest = defineRouteMiddleware(({ locals, url }) => {
  const { entry, head } = locals.starlightRoute;
  const same = inNewest(url.pathname.slice(root.length));
  const canonical = head.find(({ tag, attrs }) => tag === "link" && attrs?.rel === "canonical");
  if (same && canonical) canonical.attrs.href = origin + same;
  if (notNewest) entry.data.banner = { content: `${notNewest} <a href="${same || addressOf(newest)}">${newest} is the newest version</a>.` };
});
