/** Moves to a path of this app from code that is no component; the router hands it over at start-up. */
export interface Navigation {
  goTo: (path: string) => void;
  /** The sign-in page for people whose session has ended. */
  login: string;
}

let navigation: Navigation | undefined;

export function connectNavigation(given: Navigation) {
  navigation = given;
}

/** The app's navigation; only code that runs after start-up may ask. */
export function appNavigation(): Navigation {
  if (!navigation) throw new Error("Navigation is asked for before the router is made");
  return navigation;
}
