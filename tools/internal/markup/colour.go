package markup

import (
	"cmp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// colour converts "white", "black", "#rgb", "#rrggbb" and "rgb(…)" to "rrggbb". It trims and
// lowercases all other values.
func colour(value string) string {
	value = strings.TrimSpace(strings.ToLower(value))
	switch value {
	case "white":
		return "ffffff"
	case "black":
		return "000000"
	}
	if hex, ok := strings.CutPrefix(value, "#"); ok {
		if len(hex) == 3 || len(hex) == 4 {
			hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		}
		return hex[:min(len(hex), 6)]
	}
	if strings.HasPrefix(value, "rgb") {
		spelt := ""
		for _, part := range number().FindAllString(value, 3) {
			if n, err := strconv.Atoi(part); err == nil && n >= 0 && n < 256 {
				spelt += strconv.FormatInt(int64(n)+0x100, 16)[1:]
			}
		}
		return spelt
	}
	return value
}

func transparent(value string) bool {
	switch {
	case value == "transparent":
		return true
	case strings.HasPrefix(value, "#"):
		return len(value) == 5 && value[4] == '0' || len(value) == 9 && value[7:] == "00"
	case strings.HasPrefix(value, "rgba") || strings.HasPrefix(value, "hsla"):
		parts := number().FindAllString(value, 4)
		return len(parts) == 4 && tiny(parts[3], 0.05)
	}
	return false
}

// background returns the background color of an element. It returns "" if the element sets no
// background, and "?" if the background is not a plain color.
func background(node *html.Node, set style) string {
	value := cmp.Or(set["background-color"], set["background"])
	if value == "" && set["background-image"] != "" {
		return "?"
	}
	if painted := attribute(node, "bgcolor"); value == "" && painted != nil {
		value = *painted
	}
	switch {
	case value == "" || value == "transparent" || value == "none":
		return ""
	case strings.ContainsAny(value, " (") && !strings.HasPrefix(value, "rgb"):
		return "?"
	}
	return cmp.Or(colour(value), "?")
}

// clear represents the color of transparent text.
const clear = "clear"

// ink returns the text color of an element, or "" if the element sets no color.
func ink(node *html.Node, set style) string {
	value := set["color"]
	if named := attribute(node, "color"); value == "" && node.DataAtom == atom.Font && named != nil {
		value = *named
	}
	switch {
	case transparent(value) && (set["background-clip"] != "" || set["-webkit-background-clip"] != ""):
		return "?" // the background shows through the letters
	case transparent(value):
		return clear
	}
	return colour(value)
}

// similar returns true if two colors in the form rrggbb look alike.
func similar(one, other string) bool {
	if one == other {
		return true
	}
	if len(one) != 6 || len(other) != 6 {
		return false
	}
	for i := 0; i < 6; i += 2 {
		a, errA := strconv.ParseUint(one[i:i+2], 16, 8)
		b, errB := strconv.ParseUint(other[i:i+2], 16, 8)
		if errA != nil || errB != nil || max(a, b)-min(a, b) > 8 {
			return false
		}
	}
	return true
}
