declare module "virtual:routes" {
  export const routes: import("./routes.ts").Route[];
}
