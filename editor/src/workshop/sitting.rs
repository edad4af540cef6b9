//! The play-test of the game that is open: begun by itself, and taken over to the rules as they change.

use super::checker::Checked;
use super::playtest::{Playable, Playtest};
use super::worker::{Desk, Waker, Worker};
use interpreter::bots::Bot;
use std::sync::Arc;

/// What a game is begun with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// By seat; none: a person.
    pub bots: Vec<Option<Bot>>,
    pub seed: u64,
}

/// See the module.
pub struct Sitting {
    worker: Worker<Job, Outcome>,
    playtest: Option<Playtest>,
    /// Version of the texts that the play-test was last wanted for.
    wanted: Option<u64>,
    trouble: Option<String>,
    /// Bots answer as soon as they are asked; off while somebody looks back.
    bots_run: bool,
}

/// What is done in the background.
enum Job {
    Begin(Arc<Checked>, Option<Plan>),
    TakeOver(Arc<Checked>, Box<Playtest>),
}

struct Outcome {
    playtest: Option<Playtest>,
    /// Version of the play-test that was taken over; none: a new game.
    from: Option<u64>,
    trouble: Option<String>,
}

impl Sitting {
    /// `waker` is called when [`Sitting::poll`] has something to do.
    pub fn new(waker: Waker) -> Sitting {
        Sitting {
            worker: Worker::new(waker, |job: Job, desk: &Desk<Outcome>| desk.send(job.run())),
            playtest: None,
            wanted: None,
            trouble: None,
            bots_run: true,
        }
    }

    /// Forgets the game: another one is open.
    pub fn clear(&mut self) {
        self.worker.cancel();
        self.playtest = None;
        self.wanted = None;
        self.trouble = None;
    }

    /// Begins anew.
    pub fn begin(&mut self, good: &Arc<Checked>, plan: Plan) {
        self.wanted = Some(good.version);
        self.playtest = None;
        self.worker.ask(Job::Begin(good.clone(), Some(plan)));
    }

    /// To be called once a frame with the last rules that were without mistakes: goes on under them, and lets one bot answer.
    /// True if there is something new to be seen.
    pub fn poll(&mut self, good: Option<&Arc<Checked>>) -> bool {
        let mut new = false;
        while let Some(outcome) = self.worker.poll() {
            new = true;
            self.trouble = outcome.trouble;
            let now = self.playtest.as_ref().map(Playtest::version);
            if outcome.from == now {
                self.playtest = outcome.playtest.or(self.playtest.take());
                self.bots_run |= outcome.from.is_none();
            } else {
                // It went on meanwhile: once more, from where it stands now.
                self.wanted = None;
            }
        }
        if let Some(good) = good
            && self.wanted != Some(good.version)
        {
            self.wanted = Some(good.version);
            self.worker.ask(match &self.playtest {
                Some(playtest) => Job::TakeOver(good.clone(), Box::new(playtest.clone())),
                None => Job::Begin(good.clone(), None),
            });
        }
        new | self.bot_step()
    }

    fn bot_step(&mut self) -> bool {
        let Some(playtest) = self.playtest.as_mut().filter(|_| self.bots_run) else {
            return false;
        };
        match playtest.bot_step() {
            Ok(moved) => moved,
            Err(fault) => {
                self.trouble = Some(fault.message);
                self.bots_run = false;
                false
            }
        }
    }

    pub fn playtest(&self) -> Option<&Playtest> {
        self.playtest.as_ref()
    }

    /// For questions, which need the machine.
    pub fn playtest_mut(&mut self) -> Option<&mut Playtest> {
        self.playtest.as_mut()
    }

    /// A person's answer; the bots go on behind it.
    pub fn answer(&mut self, at: usize) {
        self.bots_run = true;
        let Some(playtest) = &mut self.playtest else {
            return;
        };
        if let Err(fault) = playtest.answer(at) {
            self.trouble = Some(fault.message);
        }
    }

    /// Lets the bots answer that are asked.
    pub fn let_bots_run(&mut self) {
        self.bots_run = true;
    }

    /// Looks at another point of the game; bots wait meanwhile.
    pub fn look(&mut self, go: impl FnOnce(&mut Playtest)) {
        self.bots_run = false;
        if let Some(playtest) = &mut self.playtest {
            go(playtest);
        }
    }

    /// What is wrong, in a sentence.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Whether a game is being set up or taken over, or a bot is to answer.
    pub fn is_busy(&self) -> bool {
        let bot = |playtest: &Playtest| {
            let asked = playtest
                .asked()
                .and_then(|seat| playtest.bots().get(seat as usize));
            asked.is_some_and(Option::is_some)
        };
        self.worker.is_busy() || self.bots_run && self.playtest.as_ref().is_some_and(bot)
    }
}

impl Job {
    fn run(self) -> Outcome {
        match self {
            Job::Begin(checked, plan) => {
                let plan = plan.unwrap_or_else(|| Plan::usual(&checked));
                match begin(checked, plan) {
                    Ok(playtest) => Outcome {
                        playtest: Some(playtest),
                        from: None,
                        trouble: None,
                    },
                    Err(why) => Outcome {
                        playtest: None,
                        from: None,
                        trouble: Some(why),
                    },
                }
            }
            Job::TakeOver(checked, playtest) => {
                let from = Some(playtest.version());
                match Playable::new(checked, playtest.players()) {
                    Ok(game) => {
                        let (playtest, reload) = playtest.reload(game);
                        Outcome {
                            playtest,
                            from,
                            trouble: reload.in_words(),
                        }
                    }
                    Err(diagnostic) => Outcome {
                        playtest: None,
                        from,
                        trouble: Some(diagnostic.message),
                    },
                }
            }
        }
    }
}

fn begin(checked: Arc<Checked>, plan: Plan) -> Result<Playtest, String> {
    let players = plan.bots.len() as u32;
    let game = Playable::new(checked, players).map_err(|diagnostic| diagnostic.message)?;
    Playtest::start(game, plan.seed, plan.bots).map_err(|fault| fault.message)
}

impl Plan {
    /// One person against bots; three players, or as near as the game allows.
    pub fn usual(checked: &Checked) -> Plan {
        let (least, most) = checked.rules().map_or((2, 2), |rules| rules.players);
        let players = 3.clamp(least, most);
        let bots = (0..players).map(|seat| (seat > 0).then_some(Bot::Random));
        Plan {
            bots: bots.collect(),
            seed: 1,
        }
    }
}
