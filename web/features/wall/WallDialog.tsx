import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { MemoryContext } from "../../data/memory-context.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Loading } from "../../ui/Loading.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { WallAddress } from "./WallAddress.tsx";
import { WallChoices } from "./WallChoices.tsx";
import { WallRemote } from "./WallRemote.tsx";
import { useAddWall, useChangeWall, useWallLive, type Wall, wallQuery } from "./walls.queries.ts";

interface WallDialogProps extends Pick<MemoryContext, "client" | "memory"> {
  onClose: () => void;
}

/** The live wall of a memory, for its managers: its address, its remote control and what it shows. */
export default function WallDialog({ client, memory, onClose }: WallDialogProps) {
  const { t } = useTranslation("wallControl");
  const wall = useQuery(wallQuery(client, memory.id));
  return (
    <Dialog title={t("title")} description={t("text")} open onOpenChange={(open) => !open && onClose()}>
      {wall.isPending ? (
        <Loading />
      ) : wall.isError ? (
        <Problem error={wall.error} retry={wall.refetch} />
      ) : wall.data === null ? (
        <AddWall client={client} memory={memory} />
      ) : (
        <OpenedWall client={client} memory={memory} wall={wall.data} />
      )}
    </Dialog>
  );
}

function AddWall({ client, memory }: Omit<WallDialogProps, "onClose">) {
  const { t } = useTranslation("wallControl");
  const add = useAddWall(client, memory.id, t("linkLabel"));
  return (
    <div className="grid justify-items-start gap-4">
      <p>{t(memory.kind === "tribute" ? "begin.tribute" : "begin.event")}</p>
      {add.isError && (
        <p role="alert" className="text-danger-text">
          {t("failed")}
        </p>
      )}
      <Button disabled={add.isPending} onClick={() => add.mutate()}>
        {t("begin.button")}
      </Button>
    </div>
  );
}

function OpenedWall({ client, memory, wall }: Omit<WallDialogProps, "onClose"> & { wall: Wall }) {
  const { t } = useTranslation("wallControl");
  useWallLive(client, wall);
  const change = useChangeWall(client, wall);
  const isOver = wall.expires_at !== null && Date.parse(wall.expires_at) <= wall.clock + performance.now();
  const isOn = wall.revoked_at === null && !isOver;
  const turn = (on: boolean) =>
    change.mutate(
      on ? { revoked_at: null, ...(isOver && { expires_at: null }) } : { revoked_at: new Date().toISOString() },
    );
  return (
    <div className="grid gap-6">
      <Switch label={t("on.label")} text={t(isOn ? "on.text" : "on.offText")} checked={isOn} onChange={turn} />
      {change.isError && (
        <p role="alert" className="text-danger-text">
          {t("failed")}
        </p>
      )}
      {isOn && (
        <>
          <WallAddress client={client} wall={wall} />
          <WallRemote client={client} memory={memory} wall={wall} onChange={change.mutate} />
        </>
      )}
      <WallChoices client={client} memory={memory} wall={wall} onChange={change.mutate} />
    </div>
  );
}
