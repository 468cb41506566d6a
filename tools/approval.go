package tools

import (
	"cmp"

	"marvin/messages"
)

// How the approval mode changes a verdict. This is the last step of a decision, and the only one
// that knows the modes:
//
//   - A denial holds in every mode. A rule of the user that asks, asks in every mode, and refuses
//     without a user.
//   - A call that cannot be undone (a firm question) needs approval in every mode but all; a strict
//     question, about something outside the project, in all too.
//   - A rule of the user that allows a call allows it in every mode but plan.
//   - A command that only reads runs unasked in a whole sandbox, in every mode but plan and ask.
//   - auto also differs from all in commands that the sandbox cannot hold: see [Env.Frees].

// approve is the verdict in a mode. writes says that the call changes something of value.
func approve(verdict Verdict, mode messages.Approval, writes, person bool) Verdict {
	if verdict.Decision == Deny {
		return verdict
	}
	switch mode {
	case messages.ApprovePlan:
		if writes {
			return planned(verdict)
		}
	case messages.ApproveAsk:
		if writes && verdict.Decision == Allow && !verdict.Ruled {
			verdict.Decision = Ask
		}
	case messages.ApproveAuto:
		if verdict.Decision == Ask && !verdict.Firm {
			verdict.Decision = Allow
		}
	case messages.ApproveAll:
		if verdict.Decision == Ask && !verdict.Ruled && !verdict.Strict {
			return Verdict{Decision: Allow, Reasons: verdict.Reasons, Beyond: verdict.Beyond, Writes: verdict.Writes, Place: verdict.Place}
		}
	}
	if person {
		return verdict
	}
	if verdict.Decision == Ask && !verdict.Firm {
		return nobody(verdict, mode)
	}
	return verdict.Alone()
}

// readers is what becomes of a command that only reads and runs in the sandbox.
func readers(mode messages.Approval) Decision {
	if mode == messages.ApproveAsk || mode == messages.ApprovePlan {
		return Ask
	}
	return Allow
}

// holdsReaders reports whether an unapproved command would run in a whole sandbox.
func (e Env) holdsReaders() bool {
	e.Approved = false
	return e.Confines() && e.Sandbox.Whole(e.Root)
}

// planned refuses what writes while a plan is wanted.
func planned(verdict Verdict) Verdict {
	return Verdict{
		Decision: Deny, Planned: true, Reasons: verdict.Reasons,
		Advice: "Change nothing now: the user wants a plan first. Explore with the tools that read, then call propose_plan. Without that tool, end your answer with the plan: what you would change, in which files, in which order, and how you would check it. The user approves by accepting the plan, or by choosing another approval mode (/approve edits). Do not try this call in another form.",
	}
}

// nobody denies a call that would need approval when no user is present.
func nobody(verdict Verdict, mode messages.Approval) Verdict {
	verdict.Decision = Deny
	verdict.Reasons = append(verdict.Reasons, "the approval mode is "+string(mode)+", which asks about it, and there is no user to ask")
	verdict.Advice = "Do without it. Tell the user: --approve auto runs it in the sandbox; a rule under permissions: allow: in config.yaml allows it."
	return verdict
}

// approval is the mode that a call is judged in.
func (e Env) approval() messages.Approval {
	usual := messages.ApproveAuto
	if e.Person {
		usual = messages.ApproveEdits
	}
	return cmp.Or(e.Approval, usual)
}

// Approving is the approval mode, with its default.
func (e Env) Approving() messages.Approval { return e.approval() }

// Plans says that nothing may be changed, because a plan is wanted.
func (e Env) Plans() bool { return e.approval() == messages.ApprovePlan }

// Frees says that a call which the sandbox cannot hold runs without it, unless the user
// asked for a sandbox by name.
func (e Env) Frees() bool {
	return e.approval() == messages.ApproveAll && e.Sandbox.Mode() == SandboxAuto && !e.Free
}
