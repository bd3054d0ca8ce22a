// The import rules of the house. test/unit/import-rules.test.ts plants a violation of each and sees it refused.
const NODE_IO =
  "^(node:)?(fs|fs/promises|net|http|https|http2|tls|dgram|dns|child_process|cluster|worker_threads|readline|os|process)$";

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "workloads-see-only-contracts",
      severity: "error",
      from: { path: "^workloads/" },
      to: { path: "^(harness|reports)/", pathNot: "^harness/contracts/" },
    },
    {
      name: "reports-see-only-results-and-measure",
      severity: "error",
      from: { path: "^reports/" },
      to: { path: "^(harness|workloads)/", pathNot: "^harness/(results|measure|contracts)/" },
    },
    {
      name: "engine-knows-no-workload-and-no-report",
      severity: "error",
      from: { path: "^harness/", pathNot: "^harness/cli/" },
      to: { path: "^(workloads|reports)/" },
    },
    {
      name: "cli-is-imported-by-nobody",
      severity: "error",
      from: { pathNot: "^harness/cli/" },
      to: { path: "^harness/cli/" },
    },
    {
      name: "contracts-import-only-contracts",
      severity: "error",
      from: { path: "^harness/contracts/" },
      to: { pathNot: "^harness/contracts/" },
    },
    {
      name: "checks-and-measure-do-no-io",
      severity: "error",
      from: { path: "^harness/(checks|measure)/" },
      to: { path: NODE_IO, reachable: true },
    },
    {
      name: "checks-and-measure-use-no-io-library",
      severity: "error",
      from: { path: "^harness/(checks|measure)/" },
      to: { path: "node_modules/(ioredis|execa|jiti|yargs|bullmq)/", reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
