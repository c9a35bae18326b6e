import { DEFAULT_SCRIPT_ID, SCRIPT_URL, Turnstile, type TurnstileInstance } from "@marsidev/react-turnstile";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { config } from "../../lib/browser/config.ts";
import { useTheme } from "../../lib/browser/theme.ts";
import { type CaptchaTokens, captchaTokens } from "./captcha-tokens.ts";

/** How long a form waits for a widget that says nothing. */
const PATIENCE_MS = 20_000;

/** A token for one request; undefined where the widget gives none, and the server says what it makes of that. */
export type Captcha = () => Promise<string | undefined>;

/** What tells a form's people from programs: `captcha` for each request, and the `widget` to be placed in the form. */
export function useBotCheck(): { captcha: Captcha; widget: ReactNode } {
  const [tokens] = useState(captchaTokens);
  const instance = useRef<TurnstileInstance>(null);
  const captcha = async () => {
    // Absent as after a lost network, which may be back.
    if (!window.turnstile) addTurnstileScript(tokens.failed);
    const token = await tokens.take(PATIENCE_MS);
    // A token is good once: the next request needs another, which is made while this one's answer is read.
    if (window.turnstile) instance.current?.reset();
    return token;
  };
  return { captcha, widget: <BotCheck ref={instance} tokens={tokens} /> };
}

interface BotCheckProps {
  ref: React.RefObject<TurnstileInstance | null>;
  tokens: CaptchaTokens;
}

/** The widget: out of sight, unless it has a question for the person. */
function BotCheck({ ref, tokens }: BotCheckProps) {
  const id = useId();
  const { i18n } = useTranslation();
  const [theme] = useTheme();
  const [asking, setAsking] = useState(false);
  useEffect(() => addTurnstileScript(tokens.failed), [tokens]);
  return (
    <div className={asking ? undefined : "absolute h-0 overflow-hidden"}>
      <Turnstile
        ref={ref}
        id={id}
        siteKey={config().turnstileSiteKey}
        injectScript={false}
        options={{
          appearance: "interaction-only",
          size: "flexible",
          responseField: false,
          theme: theme === "system" ? "auto" : theme,
          language: i18n.resolvedLanguage,
        }}
        onSuccess={(token) => {
          setAsking(false);
          tokens.made(token);
        }}
        onBeforeInteractive={() => {
          setAsking(true);
          tokens.asked();
        }}
        onExpire={tokens.expired}
        onTimeout={tokens.failed}
        onUnsupported={tokens.failed}
        onError={tokens.failed}
      />
    </div>
  );
}

/**
 * Adds the widget's script to the page, once; the component that draws the widget finds it by its id. The component's
 * own way knows the vendor's address alone. `onFailure` when it cannot be had; a later call then tries again.
 */
function addTurnstileScript(onFailure: () => void) {
  const known = document.getElementById(DEFAULT_SCRIPT_ID);
  if (known) return known.addEventListener("error", onFailure);
  const script = document.createElement("script");
  script.id = DEFAULT_SCRIPT_ID;
  script.src = `${config().turnstileScriptUrl ?? SCRIPT_URL}?render=explicit`;
  script.async = true;
  script.addEventListener("error", () => script.remove());
  script.addEventListener("error", onFailure);
  document.head.append(script);
}
