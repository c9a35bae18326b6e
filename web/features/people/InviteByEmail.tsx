import { OpenInvitations } from "./Invitations.tsx";
import { InviteForm, type InviteFormProps } from "./InviteForm.tsx";

/** Renders inviting by email as a part of another window, with the invitations that are open. */
export default function InviteByEmail({ memory, own }: InviteFormProps) {
  return (
    <>
      <InviteForm memory={memory} own={own} />
      <OpenInvitations memory={memory} />
    </>
  );
}
