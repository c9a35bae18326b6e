import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { Bought } from "../features/account/profile/Bought.tsx";
import { DeleteAccount } from "../features/account/profile/DeleteAccount.tsx";
import { Devices } from "../features/account/profile/Devices.tsx";
import { DownloadData } from "../features/account/profile/DownloadData.tsx";
import { EmailRow } from "../features/account/profile/EmailRow.tsx";
import { EmailSettings, useEmailLanguage } from "../features/account/profile/EmailSettings.tsx";
import { NameRow } from "../features/account/profile/NameRow.tsx";
import { PasswordRow } from "../features/account/profile/PasswordRow.tsx";
import { PhoneRow } from "../features/account/profile/PhoneRow.tsx";
import { PictureRow } from "../features/account/profile/PictureRow.tsx";
import { ProfileNav } from "../features/account/profile/ProfileNav.tsx";
import { profileQuery } from "../features/account/profile/profile.queries.ts";
import { ProfileFailure } from "../features/account/profile/profile-failure.ts";
import { groupOf, type ProfileGroup } from "../features/account/profile/profile-groups.ts";
import { SecondFactors } from "../features/account/profile/SecondFactors.tsx";
import { Section } from "../features/account/profile/Section.tsx";
import { SignInMethods } from "../features/account/profile/SignInMethods.tsx";
import { useProfileTexts } from "../features/account/profile/use-profile-texts.ts";
import { LanguageSwitch } from "../layout/LanguageSwitch.tsx";
import { ThemeSwitch } from "../layout/ThemeSwitch.tsx";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useUser } from "../lib/session/session.ts";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

const OfflineSpace = lazyPart(() => import("../media/offline/OfflineSpace.tsx"), "nothing");
const NoticeSettings = lazyPart(() => import("../features/notices/NoticeSettings.tsx"));

/** /profile: the person's account and its settings, one group of sections at a time. */
export default function ProfilePage() {
  const { t } = useTranslation(["profile", "offline"]);
  const { id } = useUser();
  const texts = useProfileTexts();
  const profile = useQuery(profileQuery(id));
  const open = groupOf(useLocation().hash);
  usePageTitle(t("title"));
  useEmailLanguage(profile.data);
  if (profile.isLoadingError) {
    const failed = profile.error instanceof ProfileFailure ? profile.error : new ProfileFailure("noUserData");
    return <Problem error={texts.failure(failed) ?? failed} retry={profile.refetch} />;
  }
  return (
    <div className="page-width pt-8 pb-16 sm:pt-12">
      <h1 className="pb-8 font-serif text-4xl sm:text-5xl">{t("title")}</h1>
      {profile.isPending ? (
        <Skeleton className="h-[40rem]" />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
          <ProfileNav open={open} />
          <div className="min-w-0">
            <Group id="about-you" open={open}>
              <Section id="you" title={t("you.title")} text={t("you.text")}>
                <PictureRow user={profile.data} />
                <NameRow user={profile.data} />
                <EmailRow user={profile.data} />
                <PasswordRow user={profile.data} />
                <PhoneRow user={profile.data} />
              </Section>
              <Section id="preferences" title={t("preferences.title")} text={t("preferences.text")}>
                <div className="flex flex-wrap gap-3">
                  <LanguageSwitch />
                  <ThemeSwitch />
                </div>
              </Section>
            </Group>
            <Group id="sign-in" open={open}>
              <Section id="factors" title={t("factors.title")} text={t("factors.text")}>
                <SecondFactors user={profile.data} />
              </Section>
              <Section id="waysIn" title={t("waysIn.title")} text={t("waysIn.text")}>
                <SignInMethods user={profile.data} />
              </Section>
              <Section id="devices" title={t("devices.title")} text={t("devices.text")}>
                <Devices />
              </Section>
            </Group>
            <Group id="emails" open={open}>
              <Section id="notices" title={t("notices.title")} text={t("notices.text")}>
                <Suspense fallback={<Skeleton className="h-217 sm:h-189" />}>
                  <NoticeSettings />
                </Suspense>
              </Section>
              <EmailSettings user={profile.data} />
            </Group>
            <Group id="purchases" open={open}>
              <Section id="bought" title={t("bought.title")} text={t("bought.text")}>
                <Bought />
              </Section>
            </Group>
            <Group id="your-data" open={open}>
              <Section id="data" title={t("data.title")} text={t("data.text")}>
                <DownloadData />
              </Section>
              <Section id="copies" title={t("offline:settingsTitle")} text={t("offline:settingsText")}>
                <Suspense>
                  <OfflineSpace />
                </Suspense>
              </Section>
              <Section id="delete" title={t("delete.title")} text={t("delete.text")}>
                <DeleteAccount user={profile.data} />
              </Section>
            </Group>
          </div>
        </div>
      )}
    </div>
  );
}

interface GroupProps {
  id: ProfileGroup;
  open: ProfileGroup;
  children: ReactNode;
}

/** A part of the profile. It stays mounted while another is open, so that what is being typed is not lost. */
const Group = ({ id, open, children }: GroupProps) => (
  <div hidden={id !== open} className="grid grid-cols-[minmax(0,1fr)]">
    {children}
  </div>
);
