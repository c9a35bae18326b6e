import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { AddressObject, ParsedMail } from "mailparser";
import type { SMTPServer, SMTPServerSession } from "smtp-server";
import type { Gate } from "./gate.ts";
import type { Messages } from "./messages.ts";

const LARGEST = 25 * 1024 * 1024;

/** A mail server on a free loopback port. It accepts mail to all addresses; README.md lists the exceptions. */
export async function openSmtp(messages: Messages, slow: Gate) {
  let making: Promise<SMTPServer> | undefined;
  const listener = createServer((socket) => {
    making ??= smtpServer(messages, slow);
    making.then(
      ({ server }) => server.emit("connection", socket),
      (error: Error) => socket.destroy(error),
    );
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async close() {
      const closed = once(listener, "close");
      listener.close();
      const server = await making;
      if (server) await new Promise<void>((resolve) => server.close(resolve));
      await closed;
    },
  };
}

/** Created at the first connection, because it loads large packages and most runs of Skies receive no mail. */
async function smtpServer(messages: Messages, slow: Gate) {
  const [{ SMTPServer }, { simpleParser }] = await Promise.all([import("smtp-server"), import("mailparser")]);
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    // Encryption is not offered: mail never leaves the machine, and clients would refuse a self-signed certificate.
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    size: LARGEST,
    logger: false,
    closeTimeout: 100,
    onAuth: (_auth, _session, done) => done(null, { user: "anybody" }),
    onRcptTo({ address }, _session, done) {
      const name = localPart(address);
      if (name === "bounce") return done(refusal(550, "5.1.1 There is no such mailbox here"));
      if (name === "busy") return done(refusal(451, "4.3.2 The mailbox is busy, try again later"));
      return done();
    },
    onData(stream, session, done) {
      simpleParser(stream)
        .then(async (mail) => {
          keep(messages, mail, session);
          if (recipientsOf(session).some((address) => localPart(address) === "slow")) await slow.wait();
          done(null, "Delivered");
        })
        .catch(done);
    },
  });
  // Ignored, because some tests disconnect the client during a message.
  server.on("error", () => {});
  return server;
}

function keep(messages: Messages, mail: ParsedMail, session: SMTPServerSession) {
  const recipients = recipientsOf(session);
  const named = [...addressesOf(mail.to), ...addressesOf(mail.cc)].map((address) => address.toLowerCase());
  messages.add({
    kind: "mail",
    from: mail.from?.text ?? "",
    recipients,
    hidden: recipients.filter((address) => !named.includes(address.toLowerCase())),
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html || undefined,
    headers: Object.fromEntries(
      mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]),
    ),
  });
}

const recipientsOf = (session: SMTPServerSession) => session.envelope.rcptTo.map(({ address }) => address);

const addressesOf = (header: AddressObject | AddressObject[] | undefined): string[] =>
  [header ?? []].flat().flatMap(({ value }) => value.flatMap(({ address }) => address ?? []));

const localPart = (address: string) => address.split("@")[0]?.toLowerCase();

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });
