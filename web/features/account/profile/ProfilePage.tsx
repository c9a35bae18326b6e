import "../../../i18n/words/account.ts";
import "../../../i18n/words/profile.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useUser } from "../../../lib/session.ts";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { Bought } from "./Bought.tsx";
import { DeleteAccount } from "./DeleteAccount.tsx";
import { Devices } from "./Devices.tsx";
import { DownloadData } from "./DownloadData.tsx";
import { EmailRow } from "./EmailRow.tsx";
import { EmailWishes } from "./EmailWishes.tsx";
import { NameRow } from "./NameRow.tsx";
import { PasswordRow } from "./PasswordRow.tsx";
import { PhoneRow } from "./PhoneRow.tsx";
import { profileQuery } from "./profile.queries.ts";
import { SecondFactors } from "./SecondFactors.tsx";
import { Section } from "./Section.tsx";
import { useLetterLanguage } from "./use-letter-language.ts";
import { useProfileTexts } from "./use-profile-texts.ts";
import { WaysIn } from "./WaysIn.tsx";

/** /profile: who somebody is here, and everything that is theirs to decide about it. */
export default function ProfilePage() {
  const { t } = useTranslation("profile");
  const { id } = useUser();
  const texts = useProfileTexts();
  const profile = useQuery(profileQuery(id));
  usePageTitle(t("title"));
  useLetterLanguage(profile.data);
  if (profile.isError) {
    return <Problem error={texts.failure(profile.error) ?? profile.error} retry={profile.refetch} />;
  }
  return (
    <div className="mx-auto w-full max-w-5xl px-4 pt-8 pb-16 sm:px-8 sm:pt-12">
      <h1 className="pb-8 font-serif text-4xl sm:text-5xl">{t("title")}</h1>
      {profile.isPending ? (
        <Skeleton className="h-[40rem]" />
      ) : (
        <>
          <Section title={t("you.title")} text={t("you.text")}>
            <NameRow user={profile.data} />
            <EmailRow user={profile.data} />
            <PasswordRow user={profile.data} />
            <PhoneRow user={profile.data} />
          </Section>
          <Section title={t("factors.title")} text={t("factors.text")}>
            <SecondFactors user={profile.data} />
          </Section>
          <Section title={t("waysIn.title")} text={t("waysIn.text")}>
            <WaysIn user={profile.data} />
          </Section>
          <Section title={t("devices.title")} text={t("devices.text")}>
            <Devices />
          </Section>
          <EmailWishes user={profile.data} />
          <Section title={t("bought.title")} text={t("bought.text")}>
            <Bought />
          </Section>
          <Section title={t("preferences.title")} text={t("preferences.text")}>
            <Outlet />
          </Section>
          <Section title={t("data.title")} text={t("data.text")}>
            <DownloadData />
          </Section>
          <Section title={t("delete.title")} text={t("delete.text")}>
            <DeleteAccount user={profile.data} />
          </Section>
        </>
      )}
    </div>
  );
}
