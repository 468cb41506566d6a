package profiles

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
)

// Service manages the profiles.
type Service struct{ home *persistence.Home }

// New returns a service that uses the user's files.
func New(home *persistence.Home) Service { return Service{home: home} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.switchTool(), s.preferenceTool()}
}

type switchArgs struct {
	Name string `json:"name" doc:"Name, such as alex; a new name creates a profile" alias:"profile_name,profile" example:"alex"`
}

func (s Service) switchTool() tools.Tool {
	return tools.New(tools.Def[switchArgs]{
		Name:   "switch_profile",
		Effect: tools.Writes,
		Doc: "Switch to another person's profile, or create one. Each profile has its own preferences, places, bookmarks and history. " +
			"Call it when someone says who they are.",
		Examples: []string{
			"switch to profile {alex|name}", "switch to the profile {alex|name}", "switch to the {alex|name} profile",
			"switch profile to {alex|name}", "use the profile {alex|name}", "use the {alex|name} profile",
		},
		Chat:   true,
		Needs:  tools.Needs{TopOnly: true},
		Places: func(tools.Env, switchArgs) []tools.Place { return []tools.Place{{All: true, Write: true}} },
		Run:    s.change,
	})
}

func (s Service) change(_ context.Context, env tools.Env, in switchArgs) (tools.Output, error) {
	name, err := personal.ProfileName(in.Name)
	if err != nil {
		return tools.Output{}, tools.Advise(err, "%s", s.known())
	}
	profile, isNew, err := personal.SwitchProfile(s.home, name)
	if err != nil {
		return tools.Output{}, fmt.Errorf("switch the profile: %w", err)
	}
	if err := env.SetProfile(profile.Name); err != nil {
		return tools.Output{}, err
	}
	done := "Switched to profile"
	switch {
	case isNew:
		done = "Created profile"
	case profile.Dir == env.Profile:
		done = "Already in profile"
	}
	return tools.Output{Text: fmt.Sprintf("%s %s.\nFiles: %s\n%s", done, profile.Name, profile.Dir, s.known()), Undo: switchBack(env, isNew)}, nil
}

// switchBack returns the inverse of a switch: the call that switches back to the current profile.
func switchBack(env tools.Env, isNew bool) *tools.Inverse {
	if isNew {
		return tools.CannotUndo("the new profile is kept; go back to the previous one with switch_profile")
	}
	return tools.UndoneBy("switch_profile", map[string]string{"name": env.ProfileName()})
}

func (s Service) known() string {
	names, err := personal.Profiles(s.home)
	switch {
	case err != nil:
		return err.Error()
	case len(names) == 0:
		return "There is no profile yet."
	}
	return "Profiles: " + strings.Join(names, ", ")
}

type preferenceArgs struct {
	Key    string   `json:"key" doc:"Which preference" enum:"dietary,favorite_cuisines,avoid_cuisines,accessibility,spice_tolerance,has_car,max_distance_km,budget,notes" alias:"preference,name"`
	Action string   `json:"action" doc:"\"add\" and \"remove\" work only for lists: dietary, favorite_cuisines, avoid_cuisines and accessibility" enum:"set,add,remove" default:"set"`
	Value  []string `json:"value" doc:"The value. For a list: one or more values, or one comma-separated string. spice_tolerance: none, mild, medium, hot, extra-hot. budget: free, inexpensive, moderate, expensive, any. has_car: true or false." alias:"values" example:"[\"vegetarian\"]"`
}

func (s Service) preferenceTool() tools.Tool {
	return tools.New(tools.Def[preferenceArgs]{
		Name:   "update_preferences",
		Effect: tools.Writes,
		Doc: "Change one lasting preference of the user: diet, spice, cuisines, car, distance, budget, accessibility, notes. " +
			"Use it for a lasting preference, not for a single request.",
		Examples: []string{
			"{add|action} {vegetarian|value} to my {dietary|key} preferences",
			"{remove|action} {vegetarian|value} from my {dietary|key} preferences",
			"set my {budget|key} to {moderate|value}",
			"set my {spice_tolerance|key} preference to {hot|value}",
			"I am vegetarian{=dietary|key}{=add|action}{=vegetarian|value}",
			"I am vegan{=dietary|key}{=add|action}{=vegan|value}",
			"I'm vegetarian{=dietary|key}{=add|action}{=vegetarian|value}",
			"I'm vegan{=dietary|key}{=add|action}{=vegan|value}",
			"I eat halal{=dietary|key}{=add|action}{=halal|value}",
			"I eat kosher{=dietary|key}{=add|action}{=kosher|value}",
			"I eat gluten free{=dietary|key}{=add|action}{=gluten-free|value}",
			"I like {thai|value} food{=favorite_cuisines|key}{=add|action}",
			"I love {thai|value} food{=favorite_cuisines|key}{=add|action}",
			"I have a car{=has_car|key}{=set|action}{=true|value}",
		},
		Chat:  true,
		Needs: tools.Needs{TopOnly: true},
		Run:   s.update,
	})
}

func (s Service) update(_ context.Context, env tools.Env, in preferenceArgs) (tools.Output, error) {
	profile := s.home.Profile(env.ProfileName())
	var did personal.Edit
	now, err := personal.ChangePreference(personal.RecordChange(profile, &did), in.Key, personal.PreferenceAction(in.Action), in.Value)
	if errors.Is(err, persistence.ErrNoHome) {
		return tools.Output{}, err
	}
	if err != nil {
		return tools.Output{}, fmt.Errorf("change %s: %w", in.Key, err)
	}
	return tools.Output{Text: fmt.Sprintf("%s is now: %s", in.Key, now), Undo: tools.InverseOf(did)}, nil
}
