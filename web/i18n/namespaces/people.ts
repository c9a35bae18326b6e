import en from "../en/people.json";
import it from "../it/people.json";
import { addNamespace } from "../resources.ts";

addNamespace("people", { en, it });
