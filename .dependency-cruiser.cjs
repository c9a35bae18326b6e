/**
 * Who may import whom. Type-only imports count: a type is knowledge too.
 * The folders and their reasons stand in ARCHITECTURE.md.
 * @type {import("dependency-cruiser").IConfiguration}
 */
module.exports = {
  forbidden: [
    only("shared", "shared knows nothing of either side", { from: "^shared/", to: "^shared/" }),
    only("web/ui", "primitives know no data and no routes", {
      from: "^web/ui/",
      to: "^(web/(ui|lib/browser)|shared)/",
    }),
    only("web/lib", "what everything uses knows nothing above it", { from: "^web/lib/", to: "^(web/lib|shared)/" }),
    only("web/i18n", "texts know nothing of who shows them", {
      from: "^web/i18n/",
      to: "^(web/(i18n|lib/browser)|shared)/",
    }),
    only("web/inline", "the page's own scripts are small, and share the app's rules", {
      from: "^web/inline/",
      to: "^(web/(inline|lib|ui|i18n|features/sharing)|shared)/",
    }),
    only("web/paths", "links are strings", { from: "^web/paths\\.ts$", to: "^$" }),
    only("web/data", "reads and writes show nothing", {
      from: "^web/data/",
      to: "^(web/(data|lib|i18n)|shared)/",
    }),
    only("web/media", "photos and uploads are the layer below the features", {
      from: "^web/media/",
      to: "^(web/(media|data|ui|lib|i18n)|shared)/|^web/paths\\.ts$",
    }),
    only("web/actions", "what several features do stands below them", {
      from: "^web/actions/",
      to: "^(web/(actions|media|data|ui|lib|i18n)|shared)/|^web/paths\\.ts$",
    }),
    only("features", "a feature knows no other feature: pages compose them", {
      from: "^web/features/([^/]+)/",
      to: "^(web/(actions|media|data|ui|lib|i18n)|shared)/|^web/paths\\.ts$|^web/features/$1/",
    }),
    only("layout", "the frame around pages knows features, not pages", {
      from: "^web/layout/",
      to: "^(web/(layout|features|actions|media|data|ui|lib|i18n)|shared)/|^web/paths\\.ts$",
    }),
    only("pages", "a page knows features, and no other page", {
      from: "^web/pages/",
      to: "^(web/(pages/[a-z]+|layout|features|actions|media|data|ui|lib|i18n)|shared)/|^web/paths\\.ts$",
    }),
    only("web", "the browser reaches the server by its protocol alone", { from: "^web/", to: "^(web|shared)/" }),
    only("server", "the server knows nothing of the browser app, and one file of it of the sandboxes", {
      from: "^server/(?!sandboxes\\.ts$)",
      to: "^(server|shared)/",
    }),
    only("server/database", "the database layer stands below everything", {
      from: "^server/database/",
      to: "^(server/database|shared)/",
    }),
    only("server/limits", "limits count what requests cost, not what they are for", {
      from: "^server/limits/",
      to: "^(server/(limits|database)|shared)/",
    }),
    only("server/supabase", "the protocol knows no product", {
      from: "^server/supabase/",
      to: "^(server/(supabase|database|files|threads)|shared)/",
    }),
    only("server/backup", "a backup knows rows and bytes, and no request", {
      from: "^server/backup/",
      to: "^(server/(backup|database|files|settings|threads)|shared)/",
    }),
    only("server/files", "pictures and videos are read and copied without a request", {
      from: "^server/(files|threads)/",
      to: "^(server/(files|threads)|shared)/|^server/http/watch-calls\\.ts$",
    }),
    only("server/sharing", "the rules of sharing know neither endpoints nor pages", {
      from: "^server/sharing/",
      to: "^(server/(sharing|database|rendering|supabase)|shared)/",
    }),
    {
      name: "functions receive gateways",
      severity: "error",
      comment: "A function is handed what it needs, so that tests and hosts can hand it something else.",
      from: { path: "^server/functions/" },
      to: { path: "^server/gateways/" },
    },
    only("gateways", "a gateway knows one third party and nothing else", {
      from: "^server/gateways/([^/]+)",
      to: "^server/gateways/$1|^shared/",
    }),
    only("sandboxes", "a sandbox imitates a third party, so it must not share our understanding of it", {
      from: "^sandboxes/",
      to: "^sandboxes/",
    }),
    {
      name: "traces load where a collector is named",
      severity: "error",
      comment:
        "Nothing of OpenTelemetry is loaded, and no call passes through it, until the settings name a collector.",
      from: { path: "^server/", pathNot: "^server/http/traces(\\.test)?\\.ts$" },
      to: {
        path: "^server/http/traces\\.ts$|node_modules/@opentelemetry/",
        dependencyTypesNot: ["type-only", "dynamic-import"],
      },
    },
    {
      name: "nothing imports a start",
      severity: "error",
      comment: "What starts when it is imported is not built upon.",
      from: {},
      to: { path: "^(server/main|web/main)\\.tsx?$" },
    },
    {
      name: "no tests in the product",
      severity: "error",
      comment: "What tests need stays with the tests.",
      from: { path: "^(web|server|shared)/", pathNot: "\\.test\\.tsx?$" },
      to: { path: "^tests/|\\.test\\.tsx?$" },
    },
    {
      name: "no cycles",
      severity: "error",
      comment: "Two files that need each other are one file, or lack a third.",
      from: {},
      to: { circular: true },
    },
    {
      name: "no barrels",
      severity: "error",
      comment: "An index that re-exports hides where things are and loads what nobody asked for.",
      from: {},
      to: { path: "(^|/)index\\.tsx?$", pathNot: "node_modules" },
    },
    {
      name: "no drawers",
      severity: "error",
      comment: "A folder is named after what is in it.",
      from: {},
      to: { path: "(^|/)(utils?|misc|helpers?|common)(/|\\.tsx?$)", pathNot: "node_modules" },
    },
    {
      name: "nothing missing",
      severity: "error",
      comment: "An import that leads nowhere fails only when it is reached.",
      from: {},
      // The build makes these modules.
      to: { couldNotResolve: true, pathNot: "^virtual:" },
    },
    {
      name: "packages in package.json",
      severity: "error",
      comment: "A package that only another package brings can vanish with it.",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|data|data-demo|\\.cache)/" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};

/**
 * A rule that whatever lies in `from` imports, of ours, only what lies in `to`; packages are not ours. Tests may also
 * use what the tests share.
 * @param {string} name
 * @param {string} comment
 * @param {{ from: string, to: string }} paths
 * @returns {import("dependency-cruiser").IForbiddenRuleType}
 */
function only(name, comment, { from, to }) {
  return {
    name: `${name} imports only what it may`,
    severity: "error",
    comment,
    from: { path: from, pathNot: "\\.test\\.tsx?$" },
    to: { path: "^(web|server|shared|tests|db|bench|sandboxes|scripts)/", pathNot: to },
  };
}
