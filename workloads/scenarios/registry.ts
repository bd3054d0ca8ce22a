import type { Scenario } from "../../harness/contracts/scenario.ts";
import { article } from "./article.ts";
import { blockedLoop } from "./blocked-loop.ts";
import { bullmqScenarios } from "./bullmq.ts";
import { clientClockStep } from "./client-clock-step.ts";
import { delayedDelete } from "./delayed-delete.ts";
import { delayedFence } from "./delayed-fence.ts";
import { eviction } from "./eviction.ts";
import { failoverLostWrite, minorityPrimary } from "./failover.ts";
import { flush } from "./flush.ts";
import { herd } from "./herd.ts";
import { holes } from "./hole.ts";
import { killBetween } from "./kill-between.ts";
import { killHolder } from "./kill-holder.ts";
import { lateReplies } from "./late-replies.ts";
import { lateReplyOrphan } from "./late-reply-orphan.ts";
import { lostRenewalScenarios } from "./lost-renewals.ts";
import { outage } from "./outage.ts";
import { overrunRelease } from "./overrun-release.ts";
import { ownRedelivery } from "./own-redelivery.ts";
import { pauseAfterGrant } from "./pause-after-grant.ts";
import { pauseBeforeCheck } from "./pause-before-check.ts";
import { redisStop } from "./redis-stop.ts";
import { releaseRacesRenewal } from "./release-races-renewal.ts";
import { resetScenarios } from "./reset-after-apply.ts";
import { rollingDeploy } from "./rolling-deploy.ts";
import { sameKey } from "./same-key.ts";
import { scriptFlushScenarios } from "./script-flush.ts";
import { slowJob } from "./slow-job.ts";
import { nodeAmnesia, nodeClockJump } from "./split-view.ts";

/** Every scenario, in the order of the table. */
export const scenarioRegistry: readonly Scenario[] = [
  article,
  sameKey,
  pauseAfterGrant,
  pauseBeforeCheck,
  slowJob,
  overrunRelease,
  blockedLoop,
  lateReplies,
  ...holes,
  nodeClockJump,
  nodeAmnesia,
  failoverLostWrite,
  minorityPrimary,
  ...lostRenewalScenarios,
  redisStop,
  outage,
  releaseRacesRenewal,
  lateReplyOrphan,
  delayedFence,
  ...scriptFlushScenarios,
  herd,
  clientClockStep,
  ...bullmqScenarios,
  eviction,
  flush,
  killHolder,
  killBetween,
  delayedDelete,
  ownRedelivery,
  ...resetScenarios,
  rollingDeploy,
];
