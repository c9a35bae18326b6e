import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

/** Language and theme, both in sight. */
export function Preferences() {
  return (
    <div className="flex flex-wrap gap-3">
      <LanguageSwitch />
      <ThemeSwitch />
    </div>
  );
}
