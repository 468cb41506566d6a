package places

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
)

// Service provides the tools for saved places.
type Service struct{ home *persistence.Home }

// New returns a Service for the user's saved places.
func New(home *persistence.Home) Service { return Service{home: home} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.saveTool(), s.removeTool(), s.listTool()}
}

type saveArgs struct {
	Label   string   `json:"label" doc:"Short name for the place, such as home or work" alias:"tag,place" example:"home"`
	Name    *string  `json:"name,omitempty" doc:"Full name of the place" example:"Café Noir"`
	Address *string  `json:"address,omitempty" doc:"Street address" alias:"location" example:"1 High St"`
	Phone   *string  `json:"phone,omitempty" doc:"Telephone number"`
	Website *string  `json:"website,omitempty" doc:"Web address" alias:"url"`
	Lat     *float64 `json:"lat,omitempty" doc:"Latitude in degrees; requires \"lng\"" alias:"latitude" example:"51.5"`
	Lng     *float64 `json:"lng,omitempty" doc:"Longitude in degrees; requires \"lat\"" alias:"lon,longitude" example:"-0.12"`
	Notes   *string  `json:"notes,omitempty" doc:"Other facts about the place" alias:"note"`
}

func (s Service) saveTool() tools.Tool {
	return tools.New(tools.Def[saveArgs]{
		Name:   "save_place",
		Sends:  tools.SendsNothing[saveArgs],
		Effect: tools.Writes, State: "saved places",
		Doc: "Save a place in the user's address book, or change the saved place with the same label. " +
			"Omitted fields stay as they are; an empty string removes a field.",
		Examples: []string{
			"save this place as {home|label}: {1 High St|address}",
			"save the place {home|label}: {1 High St|address}",
			"save {1 High St|address} as {home|label}",
			"remember that {home|label} is at {1 High St|address}",
		},
		Fold: flatten,
		Run:  s.save,
	})
}

// flatten adds the fields of a "data" object to the arguments, because some clients send {"name":
// "home", "data": {"address": …}}. If there is no label, the argument "name" becomes the label.
// Arguments outside the object take precedence.
func flatten(arguments map[string]any) {
	data, ok := arguments["data"].(map[string]any)
	if text, isText := arguments["data"].(string); isText {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber() // keep numbers exact, as outside "data"
		ok = decoder.Decode(&data) == nil
	}
	if !ok {
		return
	}
	delete(arguments, "data")
	_, outside := arguments["label"]
	_, inside := data["label"]
	if name, named := arguments["name"]; named && !outside && !inside {
		arguments["label"] = name
		delete(arguments, "name")
	}
	for key, value := range data {
		if _, given := arguments[key]; !given {
			arguments[key] = value
		}
	}
}

func (s Service) save(_ context.Context, env tools.Env, in saveArgs) (tools.Output, error) {
	label := personal.PlaceLabel(in.Label)
	if label == "" {
		return tools.Output{}, tools.Advise(errors.New("a place needs a label"), `Choose a short one, such as "home".`)
	}
	if err := in.position(); err != nil {
		return tools.Output{}, err
	}
	var did personal.Edit
	isNew, total, err := personal.SavePlace(personal.RecordChange(s.home.Profile(env.ProfileName()), &did), label, personal.PlaceChange{
		Name: in.Name, Address: in.Address, Phone: in.Phone, Website: in.Website, Notes: in.Notes, Lat: in.Lat, Lng: in.Lng,
	})
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("save the place: %w", err)
	}
	done := "Updated"
	if isNew {
		done = "Saved"
	}
	return tools.Output{Text: fmt.Sprintf("%s %q. Saved places: %d.%s", done, label, total, warning(err)), Undo: tools.InverseOf(did)}, nil
}

// position returns an error if only one coordinate is given, or if a coordinate is out of range.
func (in saveArgs) position() error {
	switch {
	case (in.Lat == nil) != (in.Lng == nil):
		return tools.Advise(errors.New("only one of \"lat\" and \"lng\" is given"), "Give both or neither.")
	case in.Lat == nil:
		return nil
	case math.Abs(*in.Lat) > 90 || math.Abs(*in.Lng) > 180:
		return tools.Advise(fmt.Errorf("%g, %g is not a position", *in.Lat, *in.Lng),
			"lat must be between -90 and 90, lng between -180 and 180; perhaps they are swapped.")
	}
	return nil
}

type removeArgs struct {
	Label string `json:"label" doc:"Label of the place" alias:"name" example:"home"`
}

func (s Service) removeTool() tools.Tool {
	return tools.New(tools.Def[removeArgs]{
		Name:   "remove_place",
		Effect: tools.Writes, State: "saved places",
		Doc:      "Remove a place from the user's address book by its label.",
		Examples: []string{"remove the place {home|label}", "forget the place {home|label}", "delete the saved place {home|label}"},
		Run:      s.remove,
	})
}

func (s Service) remove(_ context.Context, env tools.Env, in removeArgs) (tools.Output, error) {
	profile := s.home.Profile(env.ProfileName())
	var did personal.Edit
	left, err := personal.RemovePlace(personal.RecordChange(profile, &did), in.Label)
	if errors.Is(err, personal.ErrNoPlace) {
		return tools.Output{}, tools.Advise(fmt.Errorf("no saved place is called %q", personal.PlaceLabel(in.Label)), "%s", labels(profile))
	}
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("remove the place: %w", err)
	}
	return tools.Output{Text: fmt.Sprintf("Removed %q. Saved places: %d.%s", personal.PlaceLabel(in.Label), left, warning(err)), Undo: tools.InverseOf(did)}, nil
}

// labels returns text that lists the labels of the saved places.
func labels(profile persistence.Profile) string {
	saved, err := personal.Places(profile)
	if err != nil && len(saved) == 0 {
		return err.Error()
	}
	if len(saved) == 0 {
		return "There are no saved places."
	}
	names := lists.Map(saved, func(place personal.Place) string { return place.Label })
	return "There is: " + strings.Join(names, ", ")
}

func (s Service) listTool() tools.Tool {
	return tools.New(tools.Def[struct{}]{
		Name: "list_places", State: "saved places", Brings: tools.Private,
		Doc:      "List the places in the user's address book, with addresses and coordinates.",
		Examples: []string{"list my places", "what places do I have", "show my saved places", "what is my home address"},
		Run:      s.list,
	})
}

func (s Service) list(_ context.Context, env tools.Env, _ struct{}) (tools.Output, error) {
	saved, err := personal.Places(s.home.Profile(env.ProfileName()))
	if err != nil && len(saved) == 0 {
		return tools.Output{}, fmt.Errorf("read the saved places: %w", err)
	}
	if len(saved) == 0 {
		return tools.NoResults("There are no saved places. Save one with save_place, for example \"home\" and its address."), nil
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Saved places: %d\n", len(saved))
	for i, place := range saved {
		fmt.Fprintf(&text, "\n%d. %s\n", i+1, strings.ToUpper(place.Label))
		for _, line := range lines(place) {
			fmt.Fprintf(&text, "   %s\n", line)
		}
	}
	return tools.Output{Text: strings.TrimSuffix(text.String(), "\n") + warning(err)}, nil
}

func lines(place personal.Place) []string {
	var list []string
	for _, field := range []struct{ title, text string }{
		{"", place.Name}, {"", place.Address}, {"Phone: ", place.Phone}, {"Website: ", place.Website}, {"Notes: ", place.Notes},
	} {
		if text := strings.Join(strings.Fields(field.text), " "); text != "" {
			list = append(list, field.title+text)
		}
	}
	if place.Lat != nil && place.Lng != nil {
		list = append(list, fmt.Sprintf("Coordinates: %g, %g", *place.Lat, *place.Lng))
	}
	return list
}

// warning returns a note about an error that did not make the call fail, or "" if err is nil.
func warning(err error) string {
	if err == nil {
		return ""
	}
	return "\nNote: " + err.Error()
}
