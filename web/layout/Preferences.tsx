import { Suspense } from "react";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

const NoticeSettings = lazyPart(() => import("../features/notices/NoticeSettings.tsx"));

/** Language and theme, both in sight, and how one is told. */
export function Preferences() {
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <Suspense fallback={<Skeleton className="h-64" />}>
        <NoticeSettings />
      </Suspense>
    </>
  );
}
