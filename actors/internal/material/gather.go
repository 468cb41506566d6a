package material

import (
	"marvin/actors/internal/conv"
	"marvin/actors/internal/jobs"
	"marvin/actors/internal/private"
	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/persistence/chat"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Gather reads the files from which the system text is built. It skips and reports unreadable
// files, because a broken file must not block the prompt.
func Gather(config *conv.Setup, conversation conv.LiveConversation, mode tools.Mode, wanted Gathering) Prepared {
	var ready Prepared
	note := func(err error) {
		if err != nil {
			ready.Notices = append(ready.Notices, err.Error())
		}
	}
	ready.Bound = private.Rules(config.Models.Private).RenamedDirs([]string{conversation.Dir})
	parts := BaseParts(config, conversation)
	parts.Hidden = wanted.Tools.Hidden(mode, wanted.Model)
	parts.Sources = wanted.Tools.HiddenSources(mode)
	parts.Window = wanted.Window
	if conversation.Policy.Agent { // a sub-agent needs to know only its task
		wanted.Ask = false
		project(config, conversation, parts, wanted, &ready)
		ready.offerSkills(wanted, mode)
		return ready
	}
	if conversation.Policy.Coding {
		parts.Jobs = wanted.Background.RunningJobs()
	}
	profile := config.Home.Profile(conversation.Profile)
	var err error
	parts.Preferences, err = personal.Preferences(profile)
	note(err)
	saved, err := personal.Places(profile)
	note(err)
	for _, place := range saved {
		parts.Places = append(parts.Places, prompt.Place{
			Label: place.Label, Name: place.Name, Address: place.Address,
			Lat: (*float64)(place.Lat), Lng: (*float64)(place.Lng),
		})
	}
	facts, err := factsFor(config, conversation, wanted)
	note(err)
	for _, fact := range facts {
		parts.Facts = append(parts.Facts, fact.ForModel())
	}
	if wanted.First && conversation.Policy.Persist {
		// the user learns of an interrupted turn when its conversation is resumed
		_, err := chat.TurnsOf(profile).Recover()
		note(err)
	}
	project(config, conversation, parts, wanted, &ready)
	ready.offerSkills(wanted, mode)
	return ready
}

// If there are skills, offerSkills stores the schema of the read_skill tool in p.Specs.
func (p *Prepared) offerSkills(wanted Gathering, mode tools.Mode) {
	if len(p.Parts.Skills) == 0 && (p.Unapproved == nil || len(p.Unapproved.Parts.Skills) == 0) {
		return
	}
	if tool, err := wanted.Tools.Find("read_skill", mode); err == nil {
		p.Specs = Describe([]tools.Tool{tool}, wanted.Model).Specs
	}
}

// A Gathering describes what a turn needs besides the profile and the project.
type Gathering struct {
	First      bool // the conversation has no system text for its profile yet
	Dry        bool // the caller only displays the result; undecided project files are included
	Ask        bool // the turn can ask the user to approve project files
	Background jobs.Client
	Tools      *toolbox.Registry

	Facts   []string // the facts that the model knows
	Touched []string // absolute paths that calls used
	Prompt  string   // the prompt
	Told    []string // the instruction files that the model knows
	Window  int      // tokens available for the prompt; 0 if unknown
	Model   int      // the model's whole context window in tokens; 0 if unknown
}

// BaseParts returns the parts of the system text that do not come from files.
func BaseParts(config *conv.Setup, conversation conv.LiveConversation) prompt.Parts {
	return prompt.Parts{
		Date: config.Now().Format("2006-01-02"), System: config.System,
		Profile: conversation.Profile, Agent: conversation.Policy.Agent, Coding: conversation.Policy.Coding, Dir: conversation.Dir,
		Planning: conversation.Policy.Approval == messages.ApprovePlan, Person: conversation.Policy.Person,
	}
}
