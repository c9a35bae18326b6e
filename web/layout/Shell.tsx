import { Outlet, ScrollRestoration } from "react-router";

export function Shell() {
  return (
    <>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <ScrollRestoration />
    </>
  );
}
