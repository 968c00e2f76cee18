// The pages of docs/ by their place in the sidebar. A page that is missing here stops the build.
export const groups = [
  { label: "Start", pages: ["first-steps", "usage", "editors", "settings", "compared"] },
  { label: "Pull requests and pipelines", pages: ["github-action", "ci", "updates"] },
  { label: "Many clients, many repositories", pages: ["sync", "lock", "catalog", "fleet"] },
  { label: "What is promised", pages: ["precision", "threat-model", "requirements", "requirements-rows"] },
  { label: "Change mcplumb", pages: ["architecture", "style", "site", "releasing"] },
];

// Pages that are split into one page for each of their parts.
export const cut = ["checks", "clients"];

export const repository = "https://github.com/mcplumb/mcplumb";
