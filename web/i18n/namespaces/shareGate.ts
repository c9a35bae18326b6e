import en from "../en/shareGate.json";
import it from "../it/shareGate.json";
import { addNamespace } from "../resources.ts";

addNamespace("shareGate", { en, it });
