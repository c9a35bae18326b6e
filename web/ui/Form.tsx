import { LoaderCircle, TriangleAlert } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  type RefObject,
  type SubmitEvent,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button, type ButtonProps } from "./Button.tsx";
import { classNames } from "./class-names.ts";

interface FormProps extends ComponentProps<"form"> {
  /** The server's error, shown inside the form. */
  error?: Error | null;
}

/** The number of busy submit buttons in the enclosing form. */
const BusyButtons = createContext<RefObject<number> | null>(null);

/**
 * A form without the browser's validation messages. Errors are shown at the fields and at the top of the form, and the
 * first one is scrolled into view. It is submitted once at a time: not again while `onSubmit` runs, e.g. validates, or
 * while the submit button is busy.
 */
export function Form({ error, className, children, onSubmit, ...rest }: FormProps) {
  const { submit, busyButtons } = useOneSubmission(onSubmit);
  const alert = useRef<HTMLParagraphElement>(null);
  const failed = Boolean(error);
  useEffect(() => {
    if (failed) alert.current?.scrollIntoView({ block: "center" });
  }, [failed]);
  return (
    <BusyButtons value={busyButtons}>
      <form
        noValidate
        className={classNames("grid grid-cols-[minmax(0,1fr)] gap-5", className)}
        onSubmit={submit}
        {...rest}
      >
        {error && (
          <p ref={alert} role="alert" className="flex gap-3 rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
            <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
            {error.message}
          </p>
        )}
        {children}
      </form>
    </BusyButtons>
  );
}

/** Wraps a form's handler so that a second press of the button does not submit the form twice. */
function useOneSubmission(onSubmit: FormProps["onSubmit"]) {
  const busyButtons = useRef(0);
  // A ref, because a second press may come before React renders.
  const handling = useRef(false);
  const [handled, setHandled] = useState(0);
  useEffect(() => {
    if (handled > 0) handling.current = false;
  }, [handled]);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    if (handling.current || busyButtons.current > 0) {
      event.preventDefault();
      // React bubbles events through portals, to an enclosing form.
      event.stopPropagation();
      return;
    }
    handling.current = true;
    const form = event.currentTarget;
    // A mutation that the handler started renders the busy button in a later task. The form is released after it.
    const release = () =>
      setTimeout(() => {
        setHandled((count) => count + 1);
        showFirstError(form);
      });
    void new Promise((resolve) => resolve(onSubmit?.(event))).finally(release);
  };
  return { submit, busyButtons };
}

/** Focuses the first field with an error, in the middle of the window, where no sticky bar covers it. */
function showFirstError(form: HTMLFormElement) {
  const field = form.querySelector<HTMLElement>("[aria-invalid=true]");
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: "center" });
}

/** The submit button of a form. `busy` shows a spinner, marks the button as disabled and blocks the form. */
export function SubmitButton({ busy, children, ...rest }: ButtonProps & { busy?: boolean }) {
  const busyButtons = useContext(BusyButtons);
  useLayoutEffect(() => {
    if (!busy || !busyButtons) return;
    busyButtons.current += 1;
    return () => {
      busyButtons.current -= 1;
    };
  }, [busy, busyButtons]);
  return (
    <Button type="submit" size="large" aria-disabled={busy} aria-busy={busy} {...rest}>
      {busy && <LoaderCircle aria-hidden className="size-5 motion-safe:animate-spin" />}
      {children}
    </Button>
  );
}
