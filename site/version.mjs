// Which version of the site is built, and which others are next to it. scripts/site provides both:
//   SITE_VERSION   the tag or branch that is built; "main" by default
//   SITE_BASE      the address of it; /mcplumb/ by default
//   SITE_VERSIONS  a file with {all, newest, pages}: the tags and branches that have a site, the newest
//                  one of them, which is at /mcplumb/, and the pages of that; none by default
import { readFileSync } from "node:fs";

export const origin = "https://mcplumb.github.io";
export const top = "/mcplumb/";
export const version = process.env.SITE_VERSION || "main";
export const root = process.env.SITE_BASE || top;
export const { all, newest, pages } = process.env.SITE_VERSIONS ? JSON.parse(readFileSync(process.env.SITE_VERSIONS, "utf8")) : { all: [version], newest: version, pages: [] };

// folder returns the part of the address that a version has: that of its minor version.
export const folder = (name) => name.replace(/^(v\d+\.\d+)\.\d+$/, "$1");

// addressOf returns where a version is.
export const addressOf = (name) => (name === newest ? top : `${top}${folder(name)}/`);

// inNewest returns the address of a page, a path like "rules/alias-drift/", in the newest version:
// "" where it has no such page.
export const inNewest = (page) => (version === newest || pages.includes(page) ? `${top}${page}` : "");

// notNewest says that a version is not the newest one, "" of that.
export const notNewest = version === newest ? "" : `This is ${version === "main" ? "the main branch, which is not released" : `mcplumb ${version}`}.`;
