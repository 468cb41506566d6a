package tools

import (
	"cmp"

	"marvin/messages"
)

// The last step of a decision applies the approval mode to the verdict. The rules are:
//
//   - A denied call remains denied.
//   - If one of the user's rules says "ask", the call needs approval in every mode. If no user is
//     present, the call is refused.
//   - A firm question, for example about a call that cannot be undone, is asked in every mode
//     except "all".
//   - A strict question, for example about writing ~/.tmux.conf, is asked in every mode.
//   - If one of the user's rules allows a call, the call is allowed in every mode except "plan".
//   - A read-only command needs no approval in a complete sandbox, except in the modes "plan" and
//     "ask".
//   - Mode "all" allows commands that the sandbox cannot confine: see [Env.MayRunUnconfined].

// approve applies the approval mode to a verdict. The last two parameters tell whether the call
// makes changes and whether a user is present.
func approve(verdict Verdict, mode messages.Approval, writes, person bool) Verdict {
	if verdict.Decision == Deny {
		return verdict
	}
	switch mode {
	case messages.ApprovePlan:
		if writes {
			return denyForPlan(verdict)
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
		return denyUnattended(verdict, mode)
	}
	return verdict.WithoutUser()
}

// decideReadOnly decides whether a sandboxed read-only command needs approval.
func decideReadOnly(mode messages.Approval) Decision {
	if mode == messages.ApproveAsk || mode == messages.ApprovePlan {
		return Ask
	}
	return Allow
}

// confinesUnapproved reports whether the complete sandbox would confine an unapproved command.
func (e Env) confinesUnapproved() bool {
	e.Approved = false
	return e.Confines() && e.Sandbox.Whole(e.Root)
}

// denyForPlan denies a call and advises the model to propose a plan first.
func denyForPlan(verdict Verdict) Verdict {
	return Verdict{
		Decision: Deny, Planned: true, Reasons: verdict.Reasons,
		Advice: "Change nothing now: the user wants a plan first. Explore with read-only tools, then call propose_plan. Without that tool, end your answer with the plan: what you would change, in which files, in which order, and how you would check it. The user approves by accepting the plan, or by choosing another approval mode (/approve edits). Do not try this call in another form.",
	}
}

func denyUnattended(verdict Verdict, mode messages.Approval) Verdict {
	verdict.Decision = Deny
	verdict.Reasons = append(verdict.Reasons, "the approval mode is "+string(mode)+", so Marvin must ask about this call, but there is no user to ask")
	verdict.Advice = "Do without it. Tell the user: with --approve auto, or with a rule under \"allow:\" in \"permissions:\" in config.yaml, Marvin runs this call in the sandbox."
	return verdict
}

func (e Env) approval() messages.Approval {
	usual := messages.ApproveAuto
	if e.Person {
		usual = messages.ApproveEdits
	}
	return cmp.Or(e.Approval, usual)
}

// ApprovalMode returns the approval mode, or the default mode if none is set.
func (e Env) ApprovalMode() messages.Approval { return e.approval() }

// WantsPlan reports whether the approval mode is "plan", which forbids changes.
func (e Env) WantsPlan() bool { return e.approval() == messages.ApprovePlan }

// MayRunUnconfined reports whether the approval mode allows a call that the sandbox cannot confine.
// Only mode "all" allows such a call, and only with [SandboxAuto]. If e.Free is true, the call is
// already allowed, and MayRunUnconfined returns false.
func (e Env) MayRunUnconfined() bool {
	return e.approval() == messages.ApproveAll && e.Sandbox.Mode() == SandboxAuto && !e.Free
}
