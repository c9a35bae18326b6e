/** The current page of a visitor. */
export interface Place {
  url: URL;
  status: number;
  body: string;
}

/** A browser with redirects, forms and cookies only. It does not load the app's own pages. */
export function openVisitor() {
  const cookies: { name: string; value: string; path: string }[] = [];

  const keep = (header: string) => {
    const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
    const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    const of = (key: string) =>
      attributes.find((attribute) => attribute.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
    const path = of("path") ?? "/";
    const place = cookies.findIndex((cookie) => cookie.name === name && cookie.path === path);
    if (place >= 0) cookies.splice(place, 1);
    const ended = of("max-age") === "0" || new Date(of("expires") ?? "9999-01-01") < new Date();
    if (!ended) cookies.push({ name, value, path });
  };
  const cookiesFor = ({ pathname }: URL) =>
    cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(path.replace(/\/?$/, "/")))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");

  /** Opens a URL, optionally by submitting a form, and follows redirects. */
  async function go(address: string | URL, form?: Record<string, string>, crossSite = false): Promise<Place> {
    const url = new URL(address);
    if (!/^\/(auth\/v1|sandbox)\//.test(url.pathname)) return { url, status: 0, body: "" };
    const reply = await fetch(url, {
      redirect: "manual",
      // A form on another site's page sends no cookies with SameSite=Lax.
      headers: form && crossSite ? {} : { cookie: cookiesFor(url) },
      ...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
    });
    for (const header of reply.headers.getSetCookie()) keep(header);
    const location = reply.headers.get("location");
    if (location) return go(new URL(location, url));
    return { url, status: reply.status, body: await reply.text() };
  }

  return {
    go,
    cookies: () => cookies.map(({ name }) => name),
    keep,
    /** Submits the form that a page would submit by itself. */
    submit({ body }: Place, more: Record<string, string> = {}) {
      const action = body.match(/<form method="post" action="([^"]+)"/)?.[1] ?? "about:blank";
      const inputs = [...body.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
        name,
        value,
      ]);
      return go(action, { ...Object.fromEntries(inputs), ...more }, true);
    },
    /** The parameters and fragment of the current URL. */
    said: ({ url }: Place) => ({
      at: url.origin + url.pathname,
      parameters: Object.fromEntries(url.searchParams),
      fragment: Object.fromEntries(new URLSearchParams(url.hash.slice(1))),
    }),
  };
}

export type Visitor = ReturnType<typeof openVisitor>;
