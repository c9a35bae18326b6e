import { DEFAULT_SCRIPT_ID, SCRIPT_URL, Turnstile, type TurnstileInstance } from "@marsidev/react-turnstile";
import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { config } from "../../lib/browser/config.ts";
import { useTheme } from "../../lib/browser/theme.ts";
import type { CaptchaTokens } from "./captcha-tokens.ts";

export interface BotCheckHandle {
  /** Loads the widget's script if necessary. */
  load: () => void;
  /** Requests another token. */
  renew: () => void;
}

/** Renders the widget. It is invisible unless it requires an interaction. */
export default function BotCheck({ ref, tokens }: { ref: Ref<BotCheckHandle>; tokens: CaptchaTokens }) {
  const id = useId();
  const instance = useRef<TurnstileInstance>(null);
  const { i18n } = useTranslation();
  const [theme] = useTheme();
  const [asking, setAsking] = useState(false);
  useEffect(() => addTurnstileScript(tokens.failed), [tokens]);
  useImperativeHandle(ref, () => ({
    // Retries the script, which may be missing after a temporary network failure.
    load: () => window.turnstile || addTurnstileScript(tokens.failed),
    // A token is valid for one request, so the next token is requested in advance.
    renew: () => window.turnstile && instance.current?.reset(),
  }));
  return (
    <div className={asking ? undefined : "absolute h-0 overflow-hidden"}>
      <Turnstile
        ref={instance}
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
          tokens.cancelTimeouts();
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
 * Adds the widget's script to the page once. The widget's component finds the script by its id, because the component
 * can load it only from the vendor's URL. Calls `onFailure` if the script does not load; a later call retries.
 */
function addTurnstileScript(onFailure: () => void) {
  const loadedScript = document.getElementById(DEFAULT_SCRIPT_ID);
  if (loadedScript) return loadedScript.addEventListener("error", onFailure);
  const script = document.createElement("script");
  script.id = DEFAULT_SCRIPT_ID;
  script.src = `${config().turnstileScriptUrl ?? SCRIPT_URL}?render=explicit`;
  script.async = true;
  script.addEventListener("error", () => script.remove());
  script.addEventListener("error", onFailure);
  document.head.append(script);
}
