/** Shows the number of unread notices on the icon of the installed app; 0 removes it. Other browsers show none. */
export function setBadge(unread: number): void {
  const { setAppBadge } = navigator as { setAppBadge?: (count: number) => Promise<void> };
  setAppBadge?.call(navigator, unread).catch(() => {});
}
