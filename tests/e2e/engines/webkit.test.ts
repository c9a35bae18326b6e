import { declareWalks } from "../../support/engines/walks.ts";
import { test } from "../../support/engines/webkit.ts";

declareWalks(test, "WebKit");
