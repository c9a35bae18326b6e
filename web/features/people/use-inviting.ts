import { zodResolver } from "@hookform/resolvers/zod";
import { type ClipboardEvent, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { type TypedAddresses, typedAddresses } from "../../../shared/typed-addresses.ts";
import { addressProblem, type SendResult } from "../../actions/emails/send-email.ts";
import type { Language } from "../../i18n/languages.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { toast } from "../../ui/toasts.tsx";
import { useEmailFailure, useInvitationEmails } from "./emails/use-invitation-emails.ts";
import { AlreadyInvited, useMailInvitation, useMakeInvitation, whileBeingSent } from "./invitations.queries.ts";
import { InviteFields } from "./NoteField.tsx";
import type { PeopleContext } from "./people.queries.ts";
import { useSendResult } from "./use-send-result.ts";

/** Maximum number of people who are invited at once. */
const MOST = 30;

/**
 * Returns the form that invites people to a memory. Valid addresses of a pasted list become `recipients`, and the others
 * stay in the field, which names them. An invitation is stored first, so that a failed email can be sent again.
 */
export function useInviting(memory: PeopleContext["memory"]) {
  const { t, i18n } = useTranslation("people");
  const { email: inviterEmail } = useUser();
  const emails = useInvitationEmails();
  const failureOf = useEmailFailure();
  const { sent, notSent } = useSendResult();
  const make = useMakeInvitation(supabase, memory.id);
  const mail = useMailInvitation(supabase, memory.id);
  const [recipients, setRecipients] = useState<readonly string[]>([]);
  const [sending, setSending] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string>();
  const form = useForm<InviteFields>({
    resolver: zodResolver(InviteFields),
    defaultValues: { email: "", role: "viewer", note: "", language: i18n.language as Language },
  });

  const refuse = (message: string) => form.setError("email", { message }, { shouldFocus: true });
  /** Adds the valid addresses of a text to the recipients, and leaves the others in the field. */
  const take = ({ addresses, invalid }: TypedAddresses): readonly string[] => {
    const all = [...new Set([...recipients, ...addresses])];
    setRecipients(all);
    form.setValue("email", invalid.join(", "));
    if (invalid.length === 0) form.clearErrors("email");
    else {
      const message = t("invite.invalid", { count: invalid.length, list: invalid.join(", ") });
      refuse(all.length === 0 ? message : `${message}. ${t("invite.keptText")}`);
    }
    return all;
  };

  /** Resolves to what happened with one address. */
  const inviteOne = async (email: string, { role, note, language }: InviteFields): Promise<Outcome> => {
    const id = crypto.randomUUID();
    const write = (path: string) => emails.memory({ toEmail: email, note, memory, path, language });
    return whileBeingSent(id, async () => {
      try {
        await make.mutateAsync({ id, email, role, note, language });
      } catch (error) {
        return error instanceof AlreadyInvited ? "already" : "failed";
      }
      return mail.mutateAsync({ id, write }).catch((mailError: unknown) => ({ mailError }));
    });
  };

  const send = async (addresses: readonly string[], fields: InviteFields) => {
    const outcomes = new Map<string, Outcome>();
    setSending((before) => [...before, ...addresses]);
    // One after the other, so that the server's limits for each sender are met once.
    for (const email of addresses) {
      outcomes.set(email, await inviteOne(email, fields));
      setSending((before) => before.filter((other) => other !== email));
    }
    const those = (outcome: Outcome) => addresses.filter((email) => outcomes.get(email) === outcome);
    const [already, failed] = [those("already"), those("failed")];
    const several = addresses.length > 1;
    if (already.length > 0) complain(several ? "invite.alreadyMany" : "invite.already", already);
    if (failed.length > 0) complain(several ? "invite.failedMany" : "invite.failed", failed);
    // What failed can be sent again; a single address can be corrected in the field, unless another is typed there.
    const [single] = several ? [] : [...already, ...failed];
    if (single !== undefined && form.getValues("email") === "") form.setValue("email", single);
    else setRecipients((before) => [...new Set([...before, ...failed])]);
    if (failed.length === 0 && form.getValues("note") === fields.note) form.setValue("note", "");
    const stored = addresses.filter((email) => !already.includes(email) && !failed.includes(email));
    tell(stored, outcomes);
  };

  const complain = (
    key: "invite.already" | "invite.alreadyMany" | "invite.failed" | "invite.failedMany",
    list: string[],
  ) => {
    const sentence = t(key, { list: list.join(", ") });
    setFailure((before) => (before === undefined ? sentence : `${before} ${sentence}`));
  };

  const tell = (stored: readonly string[], outcomes: ReadonlyMap<string, Outcome>) => {
    const unusual = stored.find((email) => !["success", "background"].includes(String(outcomes.get(email))));
    if (unusual === undefined && stored.length > 1) {
      toast({ title: t("sent.many", { count: stored.length }), tone: "success" });
      return;
    }
    // The list of invitations says it of each of them.
    const email = unusual ?? stored[0];
    const outcome = email === undefined ? undefined : outcomes.get(email);
    if (email === undefined || outcome === undefined) return;
    if (typeof outcome === "object") notSent(outcome.mailError);
    else sent(outcome as SendResult, email);
  };

  const submit = form.handleSubmit(async (fields) => {
    const typed = typedAddresses(fields.email);
    const all = [...new Set([...recipients, ...typed.addresses])].filter((email) => !sending.includes(email));
    // The second press of a double click finds the field empty, or an address that is being sent.
    if (sending.length > 0 && all.length === 0 && typed.invalid.length === 0) return;
    setFailure(undefined);
    if (typed.invalid.length > 0) return void take(typed);
    const problem = addressProblem(all[0] ?? "", inviterEmail);
    if (problem !== undefined) return refuse(failureOf(new Error(problem)) ?? problem);
    if (all.length > MOST) {
      take(typed);
      return refuse(t("invite.tooMany", { count: MOST }));
    }
    // The field is free at once, so that the next address can be typed and sent meanwhile.
    setRecipients([]);
    form.setValue("email", "");
    await send(all, fields);
  });

  return {
    form,
    recipients,
    remove: (email: string) => setRecipients(recipients.filter((other) => other !== email)),
    paste(event: ClipboardEvent) {
      const typed = typedAddresses(event.clipboardData.getData("text"));
      // One address is pasted as always, into what stands there.
      if (typed.addresses.length + typed.invalid.length < 2) return;
      event.preventDefault();
      take(typed);
    },
    submit,
    sending,
    failure,
  };
}

type Outcome = SendResult | "already" | "failed" | { mailError: unknown };
