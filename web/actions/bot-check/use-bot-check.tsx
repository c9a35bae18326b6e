import { type ReactNode, Suspense, useRef, useState } from "react";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import type { BotCheckHandle } from "./BotCheck.tsx";
import { captchaTokens } from "./captcha-tokens.ts";

const BotCheck = lazyPart(() => import("./BotCheck.tsx"), "nothing");

/** Maximum wait for a token if the widget requires no interaction. */
const PATIENCE_MS = 20_000;

/** Resolves to a token for one request, or to undefined if the widget has none; the server then decides. */
export type Captcha = () => Promise<string | undefined>;

/**
 * Returns a form's bot check: `captcha` for each request, and the `widget` to render in the form. The widget's code
 * loads with it. The widget belongs below the form's button: when it becomes visible, the button must not move under
 * the pointer.
 */
export function useBotCheck(): { captcha: Captcha; widget: ReactNode } {
  const [tokens] = useState(captchaTokens);
  const check = useRef<BotCheckHandle>(null);
  const captcha = async () => {
    check.current?.load();
    const token = await tokens.take(PATIENCE_MS);
    check.current?.renew();
    return token;
  };
  const widget = (
    <Suspense>
      <BotCheck ref={check} tokens={tokens} />
    </Suspense>
  );
  return { captcha, widget };
}
