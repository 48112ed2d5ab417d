/// The look of the report's page: one style for both widths and both colour schemes.
enum PageStyle {
  /// The plots are drawn in the light scheme's colours; in the dark one, rules that ask for just these colours turn them.
  static let sheet = """
    :root{color-scheme:light dark;--paper:#ffffff;--ink:#1b1f24;--faint:#56606a;--rule:#dde2e7;--card:#f6f8fa;
    --good:#0a6b43;--good-card:#e3f4ec;--bad:#a4161a;--bad-card:#fdeaea;--mark:#0062a3}
    @media (prefers-color-scheme:dark){:root{--paper:#12161b;--ink:#e7ebef;--faint:#9ea9b4;--rule:#2b333c;--card:#1a2027;
    --good:#6fdcae;--good-card:#12352a;--bad:#ff9c9c;--bad-card:#431d1f;--mark:#6fb8ee}
    svg [fill="#ffffff"]{fill:#12161b}svg [stroke="#ffffff"]{stroke:#12161b}
    svg [fill="#1b1f24"]{fill:#e7ebef}svg [fill="#5c6670"]{fill:#9ea9b4}
    svg [stroke="#e3e7eb"],svg [stroke="#f1f3f5"]{stroke:#252d35}
    svg [fill="#0072b2"]{fill:#56b4e9}svg [stroke="#0072b2"]{stroke:#56b4e9}
    svg [fill="#d55e00"]{fill:#ff9a4d}svg [stroke="#d55e00"]{stroke:#ff9a4d}
    svg [fill="#aa4499"]{fill:#e08bd3}svg [stroke="#aa4499"]{stroke:#e08bd3}
    svg [fill="#4d5560"]{fill:#b5bec8}svg [stroke="#4d5560"]{stroke:#b5bec8}
    svg [fill="#8a6d00"]{fill:#e0bf4a}svg [stroke="#8a6d00"]{stroke:#e0bf4a}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"DejaVu Sans",sans-serif}
    main{max-width:1260px;margin:0 auto;padding:28px 20px 64px}
    h1{font-size:1.9rem;line-height:1.15;margin:0 0 .3rem;letter-spacing:-.01em}
    h2{font-size:1.25rem;margin:2.6rem 0 .8rem}
    .faint,figcaption,caption{color:var(--faint);font-size:.9rem}
    .verdict{border-radius:10px;padding:14px 18px;margin:1.2rem 0;background:var(--good-card);color:var(--good);
    font-weight:600}
    .verdict.bad{background:var(--bad-card);color:var(--bad)}
    .verdict ul{margin:.4rem 0 0;padding-left:1.2rem;font-weight:400}
    .answers li{margin:.3rem 0}
    figure{margin:0 0 1.4rem}.scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:10px;margin:0 0 .5rem}
    .scroll:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
    .scroll svg{display:block;min-width:860px;width:100%;height:auto}
    table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
    caption{text-align:left;padding:10px 14px 6px}
    th,td{padding:5px 14px;text-align:left;white-space:nowrap;border-top:1px solid var(--rule)}
    thead th{border-top:0;font-weight:600;color:var(--faint)}
    .n{text-align:right}
    summary{cursor:pointer;color:var(--mark);margin:0 0 .6rem}
    pre{background:var(--card);padding:12px 16px;border-radius:10px;overflow-x:auto;font-size:.9rem}
    @media (max-width:640px){main{padding:18px 14px 40px}h1{font-size:1.5rem}th,td{padding:5px 9px}}
    @media print{.scroll{overflow:visible;border:0}}
    """
}
