interface Article {
  setting: string;
  without: { duplicateRate: number; throughputPerMin: number };
  with: { hours: number; jobs: number; acquireP50Ms: number; acquireP99Ms: number; throughputPerMin: number };
  upper95: number;
  remark: string;
}

/**
 * The figures of the article that this experiment repeats: a t3.medium with Redis 7.2, 4 Node workers, 1,200 webhook
 * jobs a minute, simulated network jitter, a TTL of 15 s.
 */
export const article: Article = {
  setting: "t3.medium, Redis 7.2, 4 Node workers, 1,200 webhook jobs/min, simulated jitter, TTL 15 s",
  without: { duplicateRate: 0.117, throughputPerMin: 1200 },
  with: { hours: 72, jobs: 5_184_000, acquireP50Ms: 0.6, acquireP99Ms: 2.1, throughputPerMin: 1180 },
  /** None seen in 5,184,000 jobs: 1 - 0.05^(1/N). */
  upper95: 5.8e-7,
  remark:
    "The article also says “140 duplicates a day”; by its own rate, 11.7 % of 1,200 jobs a minute, it is 140 a minute.",
};
