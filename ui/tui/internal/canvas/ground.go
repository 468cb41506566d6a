package canvas

import (
	"strconv"
	"strings"

	"marvin/ui/theme"
)

// AskGround asks the terminal for its background color (OSC 11). Marvin does not wait for the
// reply, because terminals without this feature never reply.
const AskGround = "\x1b]11;?\x1b\\"

// groundIn parses a color such as rgb:RRRR/GGGG/BBBB, with one to four hexadecimal digits per part.
func groundIn(answer string) (theme.RGB, bool) {
	parts, found := strings.CutPrefix(answer, "rgb:")
	if !found {
		parts, _ = strings.CutPrefix(answer, "rgba:")
	}
	colour, list := theme.RGB(0), strings.Split(parts, "/")
	if len(list) < 3 {
		return 0, false
	}
	for _, part := range list[:3] {
		value, err := strconv.ParseUint(part, 16, 16)
		if err != nil || len(part) > 4 {
			return 0, false
		}
		most := uint64(1)<<(4*len(part)) - 1
		colour = colour<<8 | theme.RGB(value*255/most)
	}
	return colour, true
}
