/** Navigation for code outside of components; the router provides it at start-up. */
export interface Navigation {
  goTo: (path: string) => void;
  /** The sign-in page for people whose session has ended. */
  login: string;
}

let navigation: Navigation | undefined;

export function connectNavigation(functions: Navigation) {
  navigation = functions;
}

/** The app's navigation, available after start-up. */
export function appNavigation(): Navigation {
  if (!navigation) throw new Error("Navigation is asked for before the router is made");
  return navigation;
}
