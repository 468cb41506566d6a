package location

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/web"
)

// Places API (New): https://developers.google.com/maps/documentation/places/web-service/text-search
const (
	googleText   = "https://places.googleapis.com/v1/places:searchText"
	googleNearby = "https://places.googleapis.com/v1/places:searchNearby"
	googleKey    = "GOOGLE_PLACES_API_KEY"
	googleTime   = 10 * time.Second

	// Google returns only these fields. Nearby searches and directions need places.location.
	googleFields = "places.displayName,places.formattedAddress,places.location,places.rating,places.userRatingCount," +
		"places.priceLevel,places.currentOpeningHours.openNow,places.types,places.nationalPhoneNumber,places.websiteUri,places.googleMapsUri"
)

// circle is an area in Google's format; the radius is in meters, at most 50,000.
type circle struct {
	Circle struct {
		Center latLng  `json:"center"`
		Radius float64 `json:"radius"`
	} `json:"circle"`
}

type latLng struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

func around(center geo.Point, radius float64) *circle {
	area := &circle{}
	area.Circle.Center, area.Circle.Radius = latLng{center.Lat, center.Lng}, radius
	return area
}

type googleTextQuery struct {
	TextQuery      string  `json:"textQuery"`
	MaxResultCount int     `json:"maxResultCount"`
	OpenNow        bool    `json:"openNow,omitempty"`
	LocationBias   *circle `json:"locationBias,omitempty"`
}

type googleNearbyQuery struct {
	IncludedTypes       []string `json:"includedTypes"`
	MaxResultCount      int      `json:"maxResultCount"`
	RankPreference      string   `json:"rankPreference"`
	LocationRestriction *circle  `json:"locationRestriction"`
}

type googlePlace struct {
	DisplayName         struct{ Text string }
	FormattedAddress    string
	Location            *latLng
	Rating              *float64
	UserRatingCount     int
	PriceLevel          string
	CurrentOpeningHours *struct{ OpenNow *bool }
	Types               []string
	NationalPhoneNumber string
	WebsiteURI          string
	GoogleMapsURI       string
}

func (p googlePlace) venue() venue {
	v := venue{
		name: p.DisplayName.Text, address: p.FormattedAddress, phone: p.NationalPhoneNumber, website: p.WebsiteURI,
		mapURL: p.GoogleMapsURI, types: p.Types, rating: p.Rating, reviews: p.UserRatingCount, price: price(p.PriceLevel),
	}
	if p.Location != nil {
		v.point = &geo.Point{Lat: p.Location.Latitude, Lng: p.Location.Longitude}
	}
	if p.CurrentOpeningHours != nil {
		v.open = p.CurrentOpeningHours.OpenNow
	}
	return v
}

func price(level string) string {
	switch level {
	case "PRICE_LEVEL_FREE":
		return "free"
	case "PRICE_LEVEL_INEXPENSIVE":
		return "$"
	case "PRICE_LEVEL_MODERATE":
		return "$$"
	case "PRICE_LEVEL_EXPENSIVE":
		return "$$$"
	case "PRICE_LEVEL_VERY_EXPENSIVE":
		return "$$$$"
	}
	return ""
}

// errNoGoogle means that there are no credentials for Google, so OpenStreetMap is used instead.
var errNoGoogle = errors.New("no " + googleKey + " and no login of gcloud")

// askGoogle sends a request that is billed to the owner of the key. If Google rejects the cached
// token, askGoogle gets a new token and retries once.
func (s *Service) askGoogle(ctx context.Context, env tools.Env, address string, question any) ([]venue, error) {
	venues, err := s.askGoogleOnce(ctx, env, address, question)
	if web.HasStatus(err, http.StatusUnauthorized) && s.google.forget() {
		return s.askGoogleOnce(ctx, env, address, question)
	}
	return venues, err
}

func (s *Service) askGoogleOnce(ctx context.Context, env tools.Env, address string, question any) ([]venue, error) {
	header, err := s.credentials(ctx, env)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, googleTime, fmt.Errorf("it took longer than %s", googleTime))
	defer cancel()
	body, err := json.Marshal(question)
	if err != nil {
		return nil, fmt.Errorf("encode the question: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the question: %w", err)
	}
	request.Header = header
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Goog-FieldMask", googleFields)
	var answer struct{ Places []googlePlace }
	if err := web.AskJSON(s.finder.Client, request, 1<<20, &answer); err != nil {
		return nil, err
	}
	return lists.Map(answer.Places, googlePlace.venue), nil
}

// credentials returns the headers that identify the user: the user's own key, or gcloud's login.
func (s *Service) credentials(ctx context.Context, env tools.Env) (http.Header, error) {
	header := http.Header{}
	if key := proc.Lookup(env.Environ, googleKey); key != "" {
		header.Set("X-Goog-Api-Key", key)
		return header, nil
	}
	token, project, err := s.google.token(ctx, env)
	if err != nil {
		return nil, err
	}
	header.Set("Authorization", "Bearer "+token)
	header.Set("X-Goog-User-Project", project)
	return header, nil
}

// explainNoGoogle explains why the results are from OpenStreetMap.
func explainNoGoogle(err error) string {
	const source = "Source: OpenStreetMap. "
	switch {
	case errors.Is(err, errNoGoogle):
		return source + "Ratings and prices need Google Places: see setup_google_auth."
	case web.HasStatus(err, http.StatusUnauthorized, http.StatusForbidden, http.StatusBadRequest):
		return source + "Google refused the key or the request: " + err.Error() + "."
	}
	return source + "Google Places failed: " + err.Error() + "."
}
