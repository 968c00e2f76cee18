import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { groups, repository } from "./pages.mjs";
import { origin, root } from "./version.mjs";

// A wide table scrolls, so the keyboard must reach it.
function focusTables() {
  const walk = (node) => {
    if (node.tagName === "table") node.properties.tabIndex = 0;
    node.children?.forEach(walk);
  };
  return walk;
}

export default defineConfig({
  site: origin,
  base: root,
  trailingSlash: "always",
  markdown: { rehypePlugins: [focusTables] },
  integrations: [
    starlight({
      title: "mcplumb",
      description: "A linter for the configuration of MCP servers",
      favicon: "/favicon.svg",
      customCss: ["./src/site.css"],
      components: { Sidebar: "./src/Sidebar.astro" },
      routeMiddleware: "./src/route.mjs",
      lastUpdated: false,
      pagination: false,
      expressiveCode: { defaultProps: { wrap: true } }, // nothing scrolls that a keyboard cannot reach
      social: [{ icon: "github", label: "GitHub", href: repository }],
      sidebar: [
        { label: "Playground", link: "/playground/" },
        ...groups.map(({ label, pages }) => ({ label, items: pages.map((slug) => ({ slug })) })),
        { label: "Rules", collapsed: true, autogenerate: { directory: "rules" } },
        { label: "Clients", collapsed: true, autogenerate: { directory: "clients" } },
      ],
    }),
  ],
});
