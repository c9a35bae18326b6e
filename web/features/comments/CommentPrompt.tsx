import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { rememberRedirect } from "../../lib/session/redirect-url.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";

/** In place of where comments are written, for whoever can not (Spec §8). */
export function CommentPrompt({ signedIn, askName }: { signedIn: boolean; askName?: (() => void) | undefined }) {
  const { t } = useTranslation("comments");
  const { pathname, search } = useLocation();
  const remember = () => rememberRedirect(pathname + search);
  if (signedIn) return <p className="rounded-2xl bg-sunken px-4 py-3 text-ink-soft">{t("who.noRight")}</p>;
  return (
    <div className="grid gap-3 rounded-2xl bg-sunken px-4 py-4">
      <p>{t("who.signIn")}</p>
      <div className="flex flex-wrap gap-2">
        <Button asChild size="small">
          <Link to={paths.login()} onClick={remember}>
            {t("who.login")}
          </Link>
        </Button>
        <Button asChild size="small" variant="quiet">
          <Link to={paths.register()} onClick={remember}>
            {t("who.register")}
          </Link>
        </Button>
      </div>
      {askName && (
        <Button variant="plain" size="small" className="justify-self-start px-2!" onClick={askName}>
          {t("who.name")}
        </Button>
      )}
    </div>
  );
}
