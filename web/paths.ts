/** Every link the app makes. No component spells a URL. */
export const paths = {
  start: () => "/",
  home: () => "/home",
  login: () => "/login",
  register: (email?: string) => (email ? `/register?email=${encodeURIComponent(email)}` : "/register"),
  newMemory: () => "/memory/new",
  memory: (id: string) => `/memory/${encodeURIComponent(id)}`,
  shared: (shareId: string) => `/shared/${encodeURIComponent(shareId)}`,
};
