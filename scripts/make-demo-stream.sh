#!/usr/bin/env bash
# Rebuilds the demo stream of the recorded matches in data/demo-stream: a loop of 48 seconds, HLS in segments of 4
# seconds, H.264 and AAC, which every browser plays. The result is committed, so that a build needs neither ffmpeg nor
# this script.
#
# Needs ffmpeg with libx264 and libass, node, and the font DejaVu Sans. The server sends the loop as a live stream
# (src/http/demo_stream.rs).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

command -v ffmpeg >/dev/null || fail "ffmpeg is not installed (apt-get install ffmpeg)"

seconds=48
out=data/demo-stream
drawn="$(mktemp --suffix=.ass)"
trap 'rm -f "$drawn"' EXIT

node scripts/demo-stream.mjs "$seconds" >"$drawn"
rm -f "$out"/*.m4s "$out"/head.mp4 "$out"/loop.m3u8
mkdir -p "$out"

# Noise like a distant crowd, so that unmuting has an effect.
ffmpeg -nostdin -loglevel error -y \
    -f lavfi -i "color=c=0x16352a:size=640x360:rate=20:duration=$seconds" \
    -f lavfi -i "anoisesrc=color=brown:amplitude=0.06:seed=1:duration=$seconds:sample_rate=32000" \
    -vf "ass=$drawn,format=yuv420p" \
    -c:v libx264 -profile:v main -preset veryslow -crf 30 -g 80 -keyint_min 80 -sc_threshold 0 \
    -c:a aac -b:a 16k -ac 1 \
    -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact \
    -f hls -hls_time 4 -hls_playlist_type vod -hls_segment_type fmp4 \
    -hls_fmp4_init_filename head.mp4 -hls_segment_filename "$out/part-%02d.m4s" "$out/loop.m3u8"

say "$out: $(du -sb "$out" | cut -f1) bytes"
