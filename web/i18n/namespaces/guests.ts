import en from "../en/guests.json";
import it from "../it/guests.json";
import { addNamespace } from "../resources.ts";

addNamespace("guests", { en, it });
