let navigate: (path: string) => void = (path) => location.assign(path);

/** Hands over the router's navigation, so that code outside components moves without reloading the page. */
export function navigateWith(router: (path: string) => void) {
  navigate = router;
}

/** Goes to a path of this app from code that is no component. */
export const goTo = (path: string) => navigate(path);
