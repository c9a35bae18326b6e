import { createBrowserRouter, type RouteObject } from "react-router";
import { NotFound } from "./layout/NotFound.tsx";
import { Oops } from "./layout/Oops.tsx";
import { Shell } from "./layout/Shell.tsx";
import { Start } from "./layout/Start.tsx";
import { Loading } from "./ui/Loading.tsx";

type Page = { default: React.ComponentType };

/** A screen in a chunk of its own, loaded when it is first visited. */
const page = (load: () => Promise<Page>) => async () => ({ Component: (await load()).default });

/** Every URL, one lazy line each. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <Oops />,
    hydrateFallbackElement: <Loading full />,
    children: [
      // Spec §2: any failure of "/" falls back to the not-found view.
      { path: "/", element: <Start />, errorElement: <NotFound /> },
      { path: "/home", lazy: page(() => import("./features/home/HomePage.tsx")) },
      { path: "/login", lazy: page(() => import("./features/account/LoginPage.tsx")) },
      { path: "/register", lazy: page(() => import("./features/account/RegisterPage.tsx")) },
      { path: "*", element: <NotFound /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
